"""Compares the verdicts of a view and of the filter on the same boxes: boxes.py BOXES.csv BOXRULES.sql PARTITION LIMITS."""
import os
import shlex
import sys
import tempfile

from pyspark.sql import SparkSession

boxes, rules, partition, limits = sys.argv[1:]
# Without Hive, Spark forgets its tables at the end but keeps their files, and then refuses to create the tables again. So each
# run has its own folder for them.
warehouse = tempfile.TemporaryDirectory()
settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "localhost",
            "spark.sql.warehouse.dir": warehouse.name}
spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()

# The view. Use your own table instead of the file.
spark.sql("CREATE TABLE boxes (article STRING, material STRING, width DOUBLE, depth DOUBLE, height DOUBLE) "
          f"USING csv OPTIONS (path '{boxes}', header true)")
with open(rules, encoding="utf-8") as file:
    for statement in file.read().split(";\n"):
        if statement.strip():
            spark.sql(statement)
view = {row["verdict"]: row["n"] for row in spark.sql("SELECT verdict, count(*) AS n FROM box_verdicts GROUP BY verdict").collect()}

# The filter. Spark passes each partition to a process, which needs the header, but only one partition has it. textFile splits the
# text at every line break, even within quotes, so the list must not have any there. Without env, the process would have no PATH.
lines = spark.sparkContext.textFile(boxes, 2)
header = lines.first()
rows = lines.filter(lambda line: line != header)
verdicts = rows.pipe(shlex.join([partition, header, limits]), env=dict(os.environ)).map(lambda line: line.rsplit(",", 1)[1])
piped = dict(verdicts.countByValue())
if sum(piped.values()) != rows.count():
    sys.exit("the filter did not answer every row")

print("== the view")
for verdict in sorted(view):
    print(f"{verdict}\t{view[verdict]}")
print(f"== the filter: {rows.count()} rows, {'the same' if piped == view else 'other'} verdicts")
sys.exit(piped != view)
