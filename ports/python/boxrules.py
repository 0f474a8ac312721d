"""Checks boxes as boxrules does, with the tables that `boxrules generate json` writes.

    rules = boxrules.load("boxrules.json")
    found = rules.check("tuck-end", "carton-300", 48, 141, 184)
    if found:
        print(found.code, found.message)

For a form, `validate` reads what a customer typed, and says which field is wrong and why, in the customer's language:

    result = rules.validate("tuck-end", "carton-300", {"width": "48", "depth": "141", "height": ""}, "de")
    for issue in result.issues:
        print(issue.field, issue.message)  # height Geben Sie eine Höhe ein.

Dimensions are numbers (int, float, Decimal) in the unit of the tables; `parse` reads what somebody typed. Dimensions are
rounded to thousandths. After that, all numbers are whole, so verdicts are exact. The module needs Python 3.9 or later and
nothing else, except that `check_columns`, for many boxes at once, needs NumPy. Tables do not change after they are loaded,
so threads may share them.
"""

import json
import math
import re
from collections import namedtuple
from decimal import Decimal

__all__ = ["COLUMNS", "InputError", "Issue", "Result", "Tables", "Violation", "load", "parse"]

FIELDS = ("width", "depth", "height")
COLUMNS = ["article", "material", *FIELDS]  # in the order of the arguments of check_columns
MAX_DIMENSION = 1_000_000  # in units

# A rule that a box violates; its stage is boundary, constraint or size.
Violation = namedtuple("Violation", "code stage message")

# What is wrong with a field of a form. `field` is article, material, width, depth or height. `message` is a sentence for the
# customer, and `kind` is the name of that sentence. `code` is that of the violated rule, or None. `min` is the nearest value
# above the typed one that makes the box valid, and `max` the nearest value below it; each may be None.
Issue = namedtuple("Issue", "field kind code message min max")

# The result of validate: a list of issues and, if it is empty, the dimensions as numbers.
Result = namedtuple("Result", "dims issues")


class InputError(ValueError):
    """The error for an invalid field of a box. `field` is article, material, width, depth or height."""

    def __init__(self, field, message):
        super().__init__(f"{field}: {message}")
        self.field = field


def load(path):
    """Reads the file that `boxrules generate json` wrote."""
    with open(path, encoding="utf-8") as file:
        return Tables(json.load(file))


class Tables:
    """The rules and limits of a file. `articles` has an entry for each code, and `materials` the codes of all materials."""

    def __init__(self, tables):
        if not isinstance(tables, dict) or tables.get("boxrules") != 1:
            raise ValueError("no tables of boxrules, version 1; accepted: what boxrules generate json writes")
        self._tables = tables
        self.unit = tables["unit"]
        self.decimals = tables["decimals"]
        self.articles = tables["articles"]
        self.materials = list(tables["materials"])
        self.texts = tables["texts"]

    def check(self, article, material, width, depth, height):
        """Returns the first rule that the box violates, in check order, or None for a valid box."""
        return next(self._violations(article, material, (width, depth, height)), None)

    def check_all(self, article, material, width, depth, height):
        """Returns every rule that the box violates, in check order."""
        return list(self._violations(article, material, (width, depth, height)))

    def check_columns(self, article, material, width, depth, height):
        """Returns an array with "valid", a code or "error:FIELD" for each row of five columns, as the view in SQL does.

        A column is a list, or an array or a series of NumPy, pandas or Polars. All columns have the same length. FIELD is
        the first field that is wrong, as in the InputError of check. A value that is missing, None or NaN is an error of
        its row, as is any other value that is not a number or not a code. Numbers of NumPy are numbers. This method needs
        NumPy, and is about twenty times as fast as calling check for each row.
        """
        return _check_columns(self, dict(zip(COLUMNS, (article, material, width, depth, height))))

    def parse(self, field, text, decimal="."):
        """Returns the number that somebody typed for a field, or raises InputError."""
        number = self._parse(text, decimal)
        if text is None or text == "":
            raise InputError(field, f"missing; enter a {field}")
        if number is None:
            raise InputError(field, f"{text!r} is not a number; accepted: one such as 48{decimal}5")
        _thousandths(field, number, self.decimals)
        return number

    def validate(self, article, material, typed, texts="en"):
        """Checks what a customer typed, a mapping of width, depth and height to texts or numbers.

        Returns a Result. There is an issue for each field that is missing or invalid. If there is none, there is an issue
        for each rule that the box violates in the stage of the first violation. texts is a language such as "de", or
        sentences of your own as a dict: {**rules.texts["de"], "BOX_3102": "Diese Schale darf nicht höher als tief sein."}.
        A sentence whose name is a code replaces the usual one for that rule.
        """
        words = _Words(self, texts)
        issues, numbers = [], []
        entry = self.articles.get(article) if isinstance(article, str) else None
        if entry is None:
            issues.append(words.issue("article", "choice"))
        elif not isinstance(material, str) or material not in entry["materials"]:
            issues.append(words.issue("material", "choice"))
        for field in FIELDS:
            number, problem = self._read(field, typed.get(field), words)
            numbers.append(number)
            issues += problem
        if issues:
            return Result(None, issues)
        point = [math.floor(number * 1000 + 0.5) for number in numbers]
        line = _Line(self, article, material, point)
        failed = [rule for rule in line.rules if line.holds(rule.tree, point)]
        issues = [line.issue(rule, numbers, words) for rule in failed if rule.stage == failed[0].stage]
        return Result(None if issues else dict(zip(FIELDS, numbers)), issues)

    def _parse(self, text, decimal):
        """Reads what parse reads and, in inches, also a fraction such as 12 3/8."""
        number = parse(text, decimal)
        if number is None and self.unit == "in" and isinstance(text, str):
            found = re.fullmatch("(-?)([0-9]{1,7}) ([0-9]{1,2})/(2|4|8|16|32|64)", text)
            if found and int(found[3]) < int(found[4]):
                number = float(found[1] + "1") * (int(found[2]) + int(found[3]) / int(found[4]))
        return number

    def _read(self, field, given, words):
        """Returns the number that was typed for a field, and a list of issues, which has one if it is not a dimension."""
        if given is None or given == "":
            return None, [words.issue(field, "required")]
        number = self._parse(given, words.decimal) if isinstance(given, str) else _float(given)
        if number is None or math.isnan(number):
            if isinstance(given, str) and re.fullmatch(r"-?[1-9][0-9]{0,2}[.,][0-9]{3}", given):
                whole, fraction = re.sub("[.,]", "", given), given.replace(",", ".")
                return None, [words.issue(field, "unclear", text=given, whole=float(whole), fraction=float(fraction))]
            example = "12 3/8" if self.unit == "in" and self.decimals == 3 else 48.5 if self.decimals else 50
            return None, [words.issue(field, "number", example=example)]
        if not -MAX_DIMENSION <= number <= MAX_DIMENSION:
            return None, [words.issue(field, "range", value=number, min=-MAX_DIMENSION, max=MAX_DIMENSION)]
        if not _has_valid_decimals(number, self.decimals):
            return None, [words.issue(field, "decimals", value=number, decimals=self.decimals)]
        return number, []

    def _violations(self, article, material, dims):
        entry = _entry("article", article, self.articles)
        conditions = _entry("material", material, entry["materials"])
        point = [_thousandths(field, x, self.decimals) for field, x in zip(FIELDS, dims)]
        for number in conditions:
            rule, tree = self._tables["conditions"][number]
            if self._holds(tree, point, entry["limits"]):
                rule = self._tables["rules"][rule]
                yield Violation(rule["code"], rule["stage"], rule["message"])

    def _holds(self, tree, point, limits, is_and=False):
        """Reports whether a condition holds. A list means "or", a list inside it "and", and so on; is_and says which."""
        if isinstance(tree, int):
            return self._is_inside(tree, point, limits)
        holds = (self._holds(part, point, limits, not is_and) for part in tree)
        return all(holds) if is_and else any(holds)

    def _is_inside(self, half, point, limits):
        """Reports whether a point is in a half-space. The first six half-spaces are beyond the article's limits."""
        if half < 6:
            axis = half // 2
            low, high = limits[axis]
            return point[axis] > high if half % 2 else point[axis] < low
        plane, k = self._tables["halves"][half - 6][:2]
        width, depth, height = self._tables["planes"][plane][:3]
        return width * point[0] + depth * point[1] + height * point[2] > k


def parse(text, decimal="."):
    """Returns a plain decimal such as 48.5 as a float, and None for any other text.

    With decimal="," it accepts 48,5, and also 48.5, but not 1.234, which may mean 1234. For any other decimal it raises
    a ValueError.
    """
    if decimal not in (".", ","):
        raise ValueError(f"{decimal!r} is not a decimal separator; accepted: '.' and ','")
    plain = r"-?[0-9]+(\.[0-9]+)?" if decimal == "." else r"-?(?![1-9][0-9]{0,2}\.[0-9]{3}$)[0-9]+([.,][0-9]+)?"
    if not isinstance(text, str) or len(text) > 64 or not re.fullmatch(plain, text):
        return None
    return float(text.replace(",", "."))


def _entry(field, code, entries):
    if isinstance(code, str) and code in entries:
        return entries[code]
    raise InputError(field, f"{code!r} is not one of {', '.join(entries)}")


def _thousandths(field, x, decimals):
    """Rounds a dimension to thousandths: 48.0004 is 48000."""
    if x is None or isinstance(x, str) and x == "":
        raise InputError(field, f"missing; enter a {field}")
    number = _float(x)
    if not -MAX_DIMENSION <= number <= MAX_DIMENSION:
        raise InputError(field, f"{x!r} is not a number from -{MAX_DIMENSION} to {MAX_DIMENSION}")
    if not _has_valid_decimals(number, decimals):
        raise InputError(field, f"{x!r} is not a multiple of {1 / 10**decimals:g}")
    return math.floor(number * 1000 + 0.5)


def _float(x):
    """Returns a number as a float, and NaN for any other value."""
    if isinstance(x, (int, float, Decimal)) and not isinstance(x, bool):
        try:
            return float(x)
        except (OverflowError, ValueError):  # too large, or a signalling NaN
            pass
    return math.nan


def _has_valid_decimals(x, decimals):
    """Reports whether a dimension may have as many decimals as x. If three are allowed, more are rounded."""
    return decimals == 3 or math.floor(x * 10**decimals + 0.5) / 10**decimals == x


class _Words:
    """The sentences of a language, and its notation of numbers."""

    def __init__(self, tables, texts):
        english = tables.texts["en"]
        if isinstance(texts, str):
            texts = tables.texts.get(_language(texts), english)
        self.texts = {**english, **texts}
        self.decimal = self.texts["decimal"]
        self.unit = tables.unit

    def issue(self, field, kind, rule=None, **params):
        params.update(field=field, unit=self.unit)
        text = self.texts.get(field + "Choice" if kind == "choice" else kind, kind)
        if rule:
            text = self.texts.get(rule["code"]) or self._rule_message(rule) or text

        def value(match):
            words = self._text(params.get(match[1], ""))
            # A sentence begins with a capital letter.
            return words[:1].upper() + words[1:] if match.start() == 0 and re.match("[a-z]", words) else words

        message = re.sub(r"{(\w+)}", value, text)
        return Issue(field, kind, rule and rule["code"], message, params.get("min"), params.get("max"))

    def _rule_message(self, rule):
        """Returns the message of a user-defined rule. A documented rule has none, because its sentence also names the bound."""
        return rule.get("own") and rule.get("messages", {}).get(_language(self.texts["lang"]), rule["message"])

    def _text(self, param):
        if isinstance(param, str):
            return self.texts.get(param, param)
        if not abs(param) < 1e15:
            return str(param)
        text = f"{math.floor(param * 1000 + 0.5) / 1000:.3f}".rstrip("0").rstrip(".")
        return text.replace(".", self.decimal)


def _language(tag):
    return re.split("[-_]", tag)[0].lower()


class _Rule:
    """A rule with its condition for an article in a material."""

    def __init__(self, rule, tree):
        self.rule, self.tree, self.stage = rule, tree, rule["stage"]


class _Line:
    """Finds the values of one dimension for which a box is valid if the other two dimensions stay the same."""

    def __init__(self, tables, article, material, point):
        data = tables._tables
        entry = data["articles"][article]
        self.point = point
        self.step = 1000 // 10**tables.decimals
        self.limits = entry["limits"]
        self.blank = entry.get("blank")
        self.constants = dict(data["materials"][material])
        for axis, field in enumerate(FIELDS):
            low, high = self.limits[axis]
            self.constants["min_" + field], self.constants["max_" + field] = low / 1000, high / 1000
        self.constants.update(entry.get("constants", {}))
        self._data = data
        self.rules = [_Rule(data["rules"][rule], tree) for rule, tree in (data["conditions"][i] for i in entry["materials"][material])]

    def issue(self, rule, numbers, words):
        """Returns the issue for a violated rule. It names the dimension to blame and its nearest valid values."""
        axes = [axis for half in self._reasons(rule.tree) for axis in self._half(half)[3]]
        # Blame the first dimension whose change makes the box valid, or else the first whose change satisfies this rule.
        sufficient = next((axis for axis in axes if self._ranges(self.rules, axis)), None)
        axis = sufficient
        if axis is None:
            axis = next((axis for axis in axes if self._ranges([rule], axis)), axes[0] if axes else 0)
        # If the rule is about one dimension only, propose its bound, even if other rules reject every value.
        alone = sufficient is None and all(other == axis for other in axes)
        below, above = None, None
        for low, high, lowest, highest in self._ranges([rule] if alone else self.rules, axis):
            if lowest is None and highest is None:  # every value of this range is borderline
                continue
            if low / 1000 > numbers[axis]:
                above = (highest if lowest is None else lowest) if above is None else above
            else:
                below = lowest if highest is None else highest
        kind = {(True, True): "together", (True, False): "atMost", (False, True): "atLeast", (False, False): "either"}
        bounds = {key: x / 1000 for key, x in (("min", above), ("max", below)) if x is not None}
        return words.issue(FIELDS[axis], kind[above is None, below is None], rule.rule, value=numbers[axis], **bounds)

    def _half(self, number):
        """Returns a half-space a·p > k with its edge, and the axes to blame."""
        if number < 6:  # beyond a limit of the article
            plane, (low, high) = number, self.limits[number // 2]
            k, outside = high if number % 2 else -low, 0
        else:
            plane, k, outside = (*self._data["halves"][number - 6], 0)[:3]
        *a, axes = self._data["planes"][plane]
        return a, k, outside, axes

    def holds(self, tree, point, is_and=False, with_edge=False):
        """Reports whether a condition holds at a point, or may hold in floating point if with_edge is true."""
        if isinstance(tree, int):
            a, k, outside, _ = self._half(tree)
            return _dot(a, point) > (k - outside if with_edge else k)
        holds = (self.holds(part, point, not is_and, with_edge) for part in tree)
        return all(holds) if is_and else any(holds)

    def _reasons(self, tree, is_and=False):
        """Returns the half-spaces that make a condition hold at the point. Of an "or", these are those of the first part that holds."""
        if isinstance(tree, int):
            return [tree]
        parts = tree if is_and else [next(part for part in tree if self.holds(part, self.point, True))]
        return [half for part in parts for half in self._reasons(part, not is_and)]

    def _at(self, axis, x):
        return [x if i == axis else other for i, other in enumerate(self.point)]

    def _is_valid(self, rules, axis, x, with_edge):
        point = self._at(axis, x)
        return not any(self.holds(rule.tree, point, with_edge=with_edge) for rule in rules)

    def _valid_pieces(self, rules, axis, with_edge=False):
        """Yields the first and the last coordinate of each piece of the line in which all boxes are valid."""
        limit = MAX_DIMENSION * 1000
        starts = {-limit}
        # Validity can change only at coordinates at which a half-space begins or ends.
        for rule in rules:
            for half in _leaves(rule.tree):
                a, k, outside, _ = self._half(half)
                if a[axis]:
                    rest = (k - outside if with_edge else k) - _dot(a, self._at(axis, 0))
                    crossing = rest // a[axis] + 1 if a[axis] > 0 else -(rest // -a[axis])
                    starts.add(-(-crossing // self.step) * self.step)
        starts = sorted(start for start in starts if -limit <= start <= limit)
        first = None
        for start in starts:
            valid = self._is_valid(rules, axis, start, with_edge)
            if valid and first is None:
                first = start
            elif not valid and first is not None:
                yield first, start - self.step
                first = None
        if first is not None:
            yield first, limit

    def _ranges(self, rules, axis):
        """Returns the ranges within the limits: both ends, and the values to propose for them, which are not borderline."""
        ranges = []
        low_limit, high_limit = self.limits[axis]
        for low, high in self._valid_pieces(rules, axis):
            low, high = max(low, low_limit), min(high, high_limit)
            if low <= high:
                lowest, highest = (self._safe(rules, axis, low, high, end) for end in (0, 1))
                ranges.append((low, high, lowest, highest))
        return ranges

    def _safe(self, rules, axis, low, high, end):
        """Returns the value to propose for the end of a range: one that is not borderline, or None if there is none."""
        at = (low, high)[end]
        inward = (self.step, -self.step)[end]
        for x in (at, at + inward):
            if low <= x <= high and not self._fails_in_float(rules, self._at(axis, x)):
                return x
        # Look for a value that is on no edge at all.
        inside = [(max(a, low), min(b, high)) for a, b in self._valid_pieces(rules, axis, True) if a <= high and b >= low]
        return inside[-1 if end else 0][end] if inside else None

    def _fails_in_float(self, rules, point):
        """Reports whether a box violates a rule if the conditions are computed in floating point, as they are written."""
        values = {**self.constants, **{field: x / 1000 for field, x in zip(FIELDS, point)}}
        if self.blank:
            width, height = (_compute(side, values.__getitem__) for side in self.blank)
            values.update(blank_width=width, blank_height=height)
        return any(_compute(rule.rule["asWritten"], _converted(values, rule.rule)) for rule in rules)


def _dot(a, point):
    return a[0] * point[0] + a[1] * point[1] + a[2] * point[2]


def _leaves(tree):
    return [tree] if isinstance(tree, int) else [leaf for part in tree for leaf in _leaves(part)]


def _converted(values, rule):
    """Returns the function that looks up a variable and converts lengths to the unit of the rule: 12 in are 304.8 mm."""
    ratio, numbers = rule.get("ratio"), rule.get("numbers", ())
    if ratio is None:
        return values.__getitem__

    def value(name):
        x = values[name]
        if name in numbers:
            return x
        thousandths, whole = x * 1000, math.floor(x * 1000 + 0.5)
        if whole / 1000 == x:
            thousandths = whole  # so that only the division rounds
        return thousandths * ratio[0] / (1000 * ratio[1])

    return value


OPERATORS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "min": min,
    "max": max,
}


def _compute(tree, value):
    """Computes a condition or a formula in floating point. A tree is a number, a variable, or an operator and its operands."""
    if isinstance(tree, str):
        return value(tree)
    if not isinstance(tree, list):
        return float(tree)
    operator, *parts = tree
    if operator == "&&":
        return all(_compute(part, value) for part in parts)
    if operator == "||":
        return any(_compute(part, value) for part in parts)
    operands = [_compute(part, value) for part in parts]
    if operator == "!":
        return not operands[0]
    if len(operands) == 1:  # a sign
        return -operands[0] if operator == "-" else operands[0]
    return OPERATORS[operator](*operands)


def _check_columns(tables, columns):
    try:
        import numpy as np
    except ImportError as error:
        raise ImportError("check_columns needs NumPy; install it with pip install numpy, or call check for each row") from error
    columns = {field: _column(np, field, column) for field, column in columns.items()}
    lengths = {field: len(column) for field, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError("the columns have different lengths: " + ", ".join(f"{field} {n}" for field, n in lengths.items()))
    data = tables._tables
    # Until the end, the result is an array of indices into texts.
    errors = {field: number for number, field in enumerate(columns, 1)}
    texts = ["valid", *("error:" + field for field in errors), *(rule["code"] for rule in data["rules"])]
    result = np.zeros(lengths["article"], dtype=np.intp)

    # A later step overwrites the result of an earlier one, so the field that has to be reported first comes last.
    points = {}
    for field in reversed(FIELDS):
        points[field], ok = _points(np, columns[field], tables.decimals)
        result[~ok] = errors[field]
    pairs = [(article, material) for article, entry in tables.articles.items() for material in entry["materials"]]
    articles, materials = _Index(article for article, _ in pairs), _Index(material for _, material in pairs)
    pair_at = np.full((len(articles) + 1, len(materials) + 1), -1)  # the last of each is for a code that is unknown
    for number, (article, material) in enumerate(pairs):
        pair_at[articles[article], materials[material]] = number
    article_at = articles.find(np, columns["article"])
    pair = pair_at[article_at, materials.find(np, columns["material"])]
    result[pair < 0] = errors["material"]
    result[article_at < 0] = errors["article"]

    # Check the boxes of each article and material together.
    rows = np.flatnonzero(result == 0)
    pair = pair[rows].astype(np.min_scalar_type(len(pairs)))  # NumPy sorts small integers fastest
    order = np.argsort(pair, kind="stable")
    rows, pair = rows[order], pair[order]
    starts = np.flatnonzero(np.diff(pair, prepend=-1)).tolist() if len(rows) else []
    for start, end in zip(starts, [*starts[1:], len(rows)]):
        of_pair = rows[start:end]
        article, material = pairs[pair[start]]
        entry = tables.articles[article]
        conditions = _ArrayConditions(np, data, entry["limits"], [points[field][of_pair] for field in FIELDS])
        codes = np.zeros(len(of_pair), dtype=np.intp)
        # The rule that is checked first is written last.
        for number in reversed(entry["materials"][material]):
            rule, tree = data["conditions"][number]
            codes[conditions.holds(tree)] = len(errors) + 1 + rule
        result[of_pair] = codes
    return np.array(texts, dtype=object)[result]


def _column(np, field, column):
    """Returns a column as an array of numbers or, if that is not possible, as a list of its values."""
    if isinstance(column, np.ma.MaskedArray):
        if column.ndim == 1 and column.dtype.kind in "iuf":
            return np.where(np.ma.getmaskarray(column), math.nan, column.data.astype(np.float64))
        column = column.astype(object).filled(None)
    if hasattr(column, "__array__"):
        column = np.asarray(column)
        if column.ndim != 1:
            raise ValueError(f"{field}: an array of {column.ndim} dimensions is not a column; accepted: one dimension")
        if column.dtype.kind in "iuf":
            return column.astype(np.float64)
        if column.dtype.kind in "mM":  # times, which tolist may turn into integers
            return [None] * len(column)
        return column.tolist()
    if isinstance(column, (str, bytes, dict)) or not hasattr(column, "__iter__"):
        raise ValueError(f"{field}: {column!r} is not a column; accepted: a list or an array, with a value for each row")
    return list(column)


def _points(np, column, decimals):
    """Returns the dimensions of a column in thousandths, and an array that says which of them are valid."""
    if isinstance(column, list):
        try:
            plain = set(map(type, column)) <= {int, float}
            numbers = np.array(column if plain else [_number(np, x) for x in column], dtype=np.float64)
        except OverflowError:  # an int beyond all floats
            numbers = np.array([_number(np, x) for x in column], dtype=np.float64)
    else:
        numbers = column
    ok = (numbers >= -MAX_DIMENSION) & (numbers <= MAX_DIMENSION)
    numbers = np.where(ok, numbers, 0)
    if decimals != 3:
        ok &= np.floor(numbers * 10**decimals + 0.5) / 10**decimals == numbers
    return np.floor(numbers * 1000 + 0.5), ok


def _number(np, x):
    """Returns a number, which may be one of NumPy, as a float. Returns NaN for any other value."""
    return float(x) if isinstance(x, np.generic) and x.dtype.kind in "iuf" else _float(x)


class _Index(dict):
    """Numbers codes from 0. Every other value has the number -1."""

    def __init__(self, codes):
        super().__init__((code, number) for number, code in enumerate(dict.fromkeys(codes)))

    def __missing__(self, code):
        return -1

    def find(self, np, column):
        """Returns the numbers of a column."""
        try:
            return np.fromiter(map(self.__getitem__, column), np.intp, len(column))
        except TypeError:  # some value cannot be a key, such as a list
            return self.find(np, [x if isinstance(x, str) else None for x in column])


class _ArrayConditions:
    """Computes conditions for arrays of points. The sums are whole numbers below 2^53, so floats hold them exactly."""

    def __init__(self, np, data, limits, point):
        self.np, self.data, self.limits, self.point = np, data, limits, point
        self.sums = {}  # by plane

    def holds(self, tree, is_and=False):
        """Returns for each point whether a condition holds. What a list means is in Tables._holds."""
        if isinstance(tree, int):
            return self._is_inside(tree)
        result = self.np.full(len(self.point[0]), is_and)
        for part in tree:
            if is_and:
                result &= self.holds(part, False)
            else:
                result |= self.holds(part, True)
        return result

    def _is_inside(self, half):
        if half < 6:
            x, (low, high) = self.point[half // 2], self.limits[half // 2]
            return x > high if half % 2 else x < low
        plane, k = self.data["halves"][half - 6][:2]
        if plane not in self.sums:
            products = [a * x for a, x in zip(self.data["planes"][plane], self.point) if a]
            self.sums[plane] = sum(products)
        return self.sums[plane] > k
