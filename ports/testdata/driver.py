"""Answers questions of the test, a line of JSON each, by the port: boxes, and texts with the field that they are for."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))
import boxrules  # noqa: E402

rules = boxrules.load(sys.argv[1])
for line in sys.stdin:
    q = json.loads(line)
    try:
        if "typed" in q:
            issues = rules.validate(q["article"], q["material"], q["typed"], q["lang"]).issues
            answer = {"issues": [{key: x for key, x in issue._asdict().items() if x is not None} for issue in issues]}
        elif "text" in q:
            answer = {"number": rules.parse(q["field"], q["text"], q.get("decimal", "."))}
        else:
            # "NaN" and "Infinity" are texts
            dims = [float(q[f]) if isinstance(q[f], str) else q[f] for f in boxrules.FIELDS]
            first = rules.check(q["article"], q["material"], *dims)
            every = rules.check_all(q["article"], q["material"], *dims)
            answer = {"code": first.code if first else "", "codes": [v.code for v in every]}
            if "bounds" in q:  # a case that has the right ones
                issues = rules.validate(q["article"], q["material"], dict(zip(boxrules.FIELDS, dims))).issues
                bounds = [{"field": i.field, "min": i.min, "max": i.max} for i in issues]
                answer["bounds"] = [{key: x for key, x in bound.items() if x is not None} for bound in bounds]
    except boxrules.InputError as error:
        answer = {"error": {"field": error.field, "message": str(error)}}
    except ValueError:
        answer = {"error": {"field": "decimal"}}
    print(json.dumps(answer))
