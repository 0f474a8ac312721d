"""Checks boxes as boxrules does, with the tables that `boxrules generate json` writes.

    rules = boxrules.load("boxrules.json")
    found = rules.check("tuck-end", "carton-300", 48, 141, 184)
    if found:
        print(found.code, found.message)

Dimensions are in the unit of the tables, as numbers (int, float, Decimal); `parse` reads what somebody typed.
They are rounded to thousandths. From then on, all numbers are whole, so verdicts are exact. It needs Python 3.9 or later
and nothing else. Tables do not change after they are loaded, so threads may share them.
"""

import json
import math
import re
from collections import namedtuple
from decimal import Decimal

__all__ = ["InputError", "Tables", "Violation", "load", "parse"]

FIELDS = ("width", "depth", "height")
MAX_DIMENSION = 1_000_000  # in units

# A rule that a box violates; its stage is boundary, constraint or size.
Violation = namedtuple("Violation", "code stage message")


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
    """The rules and limits of a file: `articles` are its titles and materials by code."""

    def __init__(self, tables):
        if not isinstance(tables, dict) or tables.get("boxrules") != 1:
            raise ValueError("no tables of boxrules, version 1; accepted: what boxrules generate json writes")
        self._tables = tables
        self.unit = tables["unit"]
        self.decimals = tables["decimals"]
        self.articles = tables["articles"]

    def check(self, article, material, width, depth, height):
        """Returns the first rule that the box violates, in check order, or None for a valid box."""
        return next(self._violations(article, material, (width, depth, height)), None)

    def check_all(self, article, material, width, depth, height):
        """Returns every rule that the box violates, in check order."""
        return list(self._violations(article, material, (width, depth, height)))

    def parse(self, field, text, decimal="."):
        """Returns the number that somebody typed for a field, or raises InputError."""
        number = parse(text, decimal)
        if number is None:
            raise InputError(field, f"{text!r} is not a number; accepted: one such as 48{decimal}5")
        _thousandths(field, number, self.decimals)
        return number

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
        """Reports whether a condition holds. A list means "or", a list in it "and", and so on; is_and says which."""
        if isinstance(tree, int):
            return self._is_inside(tree, point, limits)
        holds = (self._holds(part, point, limits, not is_and) for part in tree)
        return all(holds) if is_and else any(holds)

    def _is_inside(self, half, point, limits):
        """Reports whether a point is in a half-space. The first six are below and above the article's limits."""
        if half < 6:
            axis = half // 2
            low, high = limits[axis]
            return point[axis] > high if half % 2 else point[axis] < low
        plane, k = self._tables["halves"][half - 6]
        width, depth, height = self._tables["planes"][plane]
        return width * point[0] + depth * point[1] + height * point[2] > k


def parse(text, decimal="."):
    """Returns a plain decimal such as 48.5 as a float, and None for anything else.

    With decimal="," it accepts 48,5, and also 48.5, but not 1.234, which may mean 1234. Any other decimal is a mistake of
    the program, and raises ValueError.
    """
    if decimal not in (".", ","):
        raise ValueError(f"decimal {decimal!r} is not read; accepted: '.' and ','")
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
    number = math.nan
    if isinstance(x, (int, float, Decimal)) and not isinstance(x, bool):
        try:
            number = float(x)
        except (OverflowError, ValueError):  # too large, or a signalling NaN
            pass
    if not -MAX_DIMENSION <= number <= MAX_DIMENSION:
        raise InputError(field, f"{x!r} is not a number from -{MAX_DIMENSION} to {MAX_DIMENSION}")
    scale = 10**decimals
    if decimals < 3 and math.floor(number * scale + 0.5) / scale != number:
        raise InputError(field, f"{x!r} is not a multiple of {1 / scale:g}")
    return math.floor(number * 1000 + 0.5)
