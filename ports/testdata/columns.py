"""Answers boxes of the test by check_columns, a line of JSON each, and compares every kind of column with check on each row.

The texts in the place of a dimension are "NaN", "Infinity" and "-Infinity". Before it answers, it puts values that are no
dimensions or codes into some rows of a copy, and compares again.
"""

import json
import math
import os
import random
import sys
import time
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))
import boxrules  # noqa: E402

NAMES = boxrules.COLUMNS


def loop(rules, columns):
    """Returns what check says of each row."""
    verdicts = []
    for row in zip(*columns):
        # To check, only the numbers of Python are numbers.
        row = [float(x) if isinstance(x, np.generic) and x.dtype.kind in "iuf" else x for x in row]
        try:
            found = rules.check(*row)
            verdicts.append(found.code if found else "valid")
        except boxrules.InputError as error:
            verdicts.append("error:" + error.field)
    return verdicts


def compare(what, rules, columns, want):
    got = rules.check_columns(*columns)
    assert isinstance(got, np.ndarray) and got.shape == (len(want),), what
    for row, (verdict, expected) in enumerate(zip(got.tolist(), want)):
        assert verdict == expected, f"{what}, row {row}, {[column[row] for column in columns]}: {verdict}, want {expected}"


def objects(column):
    array = np.empty(len(column), dtype=object)
    for row, x in enumerate(column):
        array[row] = x
    return array


def compare_columns(rules, columns, want):
    """Compares the kinds of columns that can hold codes that are texts, and dimensions that are numbers."""
    codes, dims = columns[:2], columns[2:]
    floats = [np.array(column, dtype=np.float64) for column in dims]
    compare("lists", rules, columns, want)
    compare("tuples", rules, [tuple(column) for column in columns], want)
    compare("arrays", rules, [*map(np.array, codes), *floats], want)
    compare("arrays of objects", rules, [objects(column) for column in columns], want)
    compare("every other row", rules, [*(column[::2] for column in codes), *(column[::2] for column in floats)], want[::2])
    compare("other byte order", rules, [*codes, *(column.astype(">f8") for column in floats)], want)
    compare("decimals", rules, [*codes, *([Decimal(x) for x in column] for column in dims)], want)
    frame = pd.DataFrame(dict(zip(NAMES, [*codes, *floats])))
    compare("pandas", rules, [frame[name] for name in NAMES], want)
    typed = frame.astype({"article": "category", "material": "string", "width": "Float64"})
    compare("pandas, other types", rules, [typed[name] for name in NAMES], want)
    compare("polars", rules, list(pl.DataFrame(dict(zip(NAMES, [*codes, *floats])))), want)
    # A mask, a null and NA are the same: the value is missing.
    masked = [random.random() < 0.1 for _ in want]
    missing = [None if hidden else x for hidden, x in zip(masked, dims[1])]
    want = loop(rules, [*codes, dims[0], missing, dims[2]])
    compare("a mask", rules, [*codes, dims[0], np.ma.array(floats[1], mask=masked), dims[2]], want)
    compare("a mask on objects", rules, [*codes, dims[0], np.ma.array(objects(dims[1]), mask=masked), dims[2]], want)
    compare("pandas, NA", rules, [*codes, dims[0], pd.array(missing, dtype="Float64"), dims[2]], want)
    compare("pandas, None", rules, [*codes, dims[0], pd.Series(missing, dtype=object), dims[2]], want)
    compare("polars, null", rules, [*codes, dims[0], pl.Series(missing, dtype=pl.Float64), dims[2]], want)
    whole = [int(x) if x is not None and abs(x) < 2**53 else None for x in missing]
    want = loop(rules, [*codes, dims[0], whole, dims[2]])
    compare("pandas, integers with NA", rules, [*codes, dims[0], pd.array(whole, dtype="Int64"), dims[2]], want)
    compare("polars, integers with null", rules, [*codes, dims[0], pl.Series(whole), dims[2]], want)
    single = np.array(dims[1], dtype=np.float32)
    compare("float32", rules, [*codes, dims[0], single, dims[2]], loop(rules, [*codes, dims[0], single.tolist(), dims[2]]))
    nulls = [None if hidden else code for hidden, code in zip(masked, codes[0])]
    want = loop(rules, [nulls, *columns[1:]])
    compare("polars, null codes", rules, [pl.Series(nulls), *columns[1:]], want)
    compare("pandas, null codes", rules, [pd.Series(nulls), *columns[1:]], want)
    compare("a mask on codes", rules, [np.ma.array(codes[0], mask=masked), *columns[1:]], want)
    # Whole columns of another type.
    want = loop(rules, [*codes, dims[0], [None] * len(want), dims[2]])
    for name, column in {
        "texts": np.array(dims[1]).astype(str),
        "booleans": np.array(dims[1]) > 5,
        "times": np.array([5] * len(want), dtype="datetime64[ns]"),
        "durations": np.array([5] * len(want), dtype="timedelta64[ns]"),
        "complex numbers": np.array(dims[1]) + 0j,
        "pandas booleans": pd.Series([True] * len(want)),
        "polars booleans": pl.Series([True] * len(want)),
    }.items():
        compare(name, rules, [*codes, dims[0], column, dims[2]], want)
    compare("numbers as codes", rules, [floats[0], *columns[1:]], loop(rules, [dims[0], *columns[1:]]))


NASTY = [
    None, math.nan, math.inf, -math.inf, True, False, "48", "", b"48", [48], {}, {48}, (48,), object, Decimal("48.5"), Decimal("NaN"),
    Decimal("sNaN"), Decimal("1e400"), 10**400, -(10**400), 2**63, 10**6, 10**6 + 1, 1000000.0004, -1000000.0004, -0.0, 5e-324,
    np.float64(48.5), np.float32(48.5), np.int64(48), np.uint8(48), np.bool_(True), np.float64("nan"), np.datetime64(5, "ns"),
    np.timedelta64(5, "ns"), np.str_("48"), np.array(48), np.array([48]), pd.NA, pd.NaT, pd.Timestamp(5), pd.Timedelta(5), 48j,
    "tuck-end\0", "Tuck-end", np.str_("tuck-end"), np.str_("carton-300"), ("tuck-end", "carton-300"),
]  # fmt: skip


def compare_nasty(rules, columns):
    columns = [list(column) for column in columns]
    for row in range(len(columns[0])):
        if row % 2:
            columns[random.randrange(5)][row] = random.choice(NASTY)
    want = loop(rules, columns)
    compare("nasty lists", rules, columns, want)
    compare("nasty arrays", rules, [objects(column) for column in columns], want)
    compare("nasty pandas", rules, [pd.Series(column, dtype=object) for column in columns], want)
    for column in range(5):
        for value in NASTY:
            one = [[given[0]] for given in columns]
            one[column] = [value]
            compare(f"{value!r} as {NAMES[column]}", rules, one, loop(rules, one))


def compare_errors(rules):
    good = [["a"], ["b"], [1], [2], [3]]
    for wrong, message in (
        ([1, 2], "the columns have different lengths: article 1, material 1, width 2, depth 1, height 1"),
        ("48", "width: '48' is not a column; accepted: a list or an array, with a value for each row"),
        (48, "width: 48 is not a column; accepted: a list or an array, with a value for each row"),
        (None, "width: None is not a column; accepted: a list or an array, with a value for each row"),
        (np.array(48), "width: an array of 0 dimensions is not a column; accepted: one dimension"),
        (np.ones((1, 1)), "width: an array of 2 dimensions is not a column; accepted: one dimension"),
        (np.ma.ones((1, 1)), "width: an array of 2 dimensions is not a column; accepted: one dimension"),
        (pd.DataFrame({"a": [1]}), "width: an array of 2 dimensions is not a column; accepted: one dimension"),
    ):
        try:
            got = rules.check_columns(*good[:2], wrong, *good[3:])
        except ValueError as error:
            got = str(error)
        assert got == message, got
    for empty in ([], (), np.array([]), pd.Series([], dtype=float), pl.Series([], dtype=pl.Float64)):
        assert rules.check_columns(*[empty] * 5).tolist() == []
    sys.modules["numpy"] = None
    try:
        got = rules.check_columns(*good)
    except ImportError as error:
        got = str(error)
    sys.modules["numpy"] = np
    assert got == "check_columns needs NumPy; install it with pip install numpy, or call check for each row", got


def compare_speed(rules, columns):
    """Notices if rows are checked one by one. It took a twentieth of the time of the loop."""
    arrays = [*columns[:2], *(np.array(column) for column in columns[2:])]
    start = time.process_time()
    rules.check_columns(*arrays)
    middle = time.process_time()
    loop(rules, columns)
    end = time.process_time()
    assert 5 * (middle - start) < end - middle, f"{middle - start} s of processor time, the loop takes {end - middle}"


random.seed(1)
rules = boxrules.load(sys.argv[1])
questions = [json.loads(line) for line in sys.stdin]
columns = [[q[name] for q in questions] for name in NAMES]
columns[2:] = [[float(x) for x in column] for column in columns[2:]]
want = loop(rules, columns)
compare_columns(rules, columns, want)
compare_nasty(rules, columns)
compare_errors(rules)
if len(want) >= 20_000:
    compare_speed(rules, columns)
for verdict in rules.check_columns(*columns).tolist():
    print(json.dumps(verdict))
