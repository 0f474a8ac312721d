"""Measures how many rows check_columns checks in a second of processor time.

The arguments are the file of the tables, and a CSV file of boxes, each with its verdict in the last column.
"""

import os
import sys
import time

import pandas

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))
import boxrules  # noqa: E402

ROUNDS = 5

rules = boxrules.load(sys.argv[1])
boxes = pandas.read_csv(sys.argv[2])
columns = [boxes[name] for name in boxrules.COLUMNS]
differences = int((rules.check_columns(*columns) != boxes["verdict"].to_numpy()).sum())
rates = []
for _ in range(ROUNDS):
    start = time.process_time()
    rules.check_columns(*columns)
    rates.append(len(boxes) / (time.process_time() - start))
rates.sort()
print(
    f"{len(boxes)} rows, {differences} differences, {rates[ROUNDS // 2]:.0f} rows per second of processor time, "
    f"median of {ROUNDS} ({rates[0]:.0f} to {rates[-1]:.0f})"
)
