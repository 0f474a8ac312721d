# Reads names of files from stdin. Runs the statements of each, every one of which ends in a semicolon at the end of a line, and
# answers with the rows of the last and a zero byte.
import re
import sys

from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.codegen.wholeStage", "false").config("spark.sql.shuffle.partitions", "2")
    .config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")


def answer(statements):
    rows = []
    for statement in re.split(r";\n", statements):
        if re.sub(r"(?m)^--.*$", "", statement).strip():
            rows = spark.sql(statement).collect()
    return "".join("\t".join("\\N" if x is None else str(x) for x in row) + "\n" for row in rows)


for line in sys.stdin:
    try:
        with open(line.rstrip("\n"), encoding="utf-8") as file:
            print(answer(file.read()), end="\0", flush=True)
    except Exception as error:
        print(f"error: {error}", end="\0", flush=True)
