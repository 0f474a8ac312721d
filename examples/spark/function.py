"""Compares a function written in Java with the view, box by box: function.py BOXES.csv BOXRULES.sql BOX-VERDICT.jar."""
import sys
import tempfile

from pyspark.sql import SparkSession

boxes, rules, jar = sys.argv[1:]
warehouse = tempfile.TemporaryDirectory()  # for the tables of the view: see boxes.py
settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "localhost",
            "spark.sql.warehouse.dir": warehouse.name, "spark.jars": jar}
spark = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
spark.sql("CREATE TABLE boxes (article STRING, material STRING, width DOUBLE, depth DOUBLE, height DOUBLE) "
          f"USING csv OPTIONS (path '{boxes}', header true)")

# The function. It takes doubles: cast columns of other types, as in CAST(width AS DOUBLE).
spark.udf.registerJavaFunction("box_verdict", "BoxVerdict", "string")
spark.sql("CREATE TEMPORARY VIEW answers AS SELECT *, box_verdict(article, material, width, depth, height) AS verdict FROM boxes")

# The view, which gives the same answers but takes longer.
with open(rules, encoding="utf-8") as file:
    for statement in file.read().split(";\n"):
        if statement.strip():
            spark.sql(statement)
# Each row has the answers of the view and of the function for the same box.
pairs = spark.sql("SELECT verdict, box_verdict(article, material, width, depth, height) AS answer FROM box_verdicts")
different = pairs.filter("answer IS DISTINCT FROM verdict").count()

for row in spark.sql("SELECT verdict, count(*) AS n FROM answers GROUP BY verdict ORDER BY verdict").collect():
    print(f"{row['verdict']}\t{row['n']}")
print(f"{pairs.count()} rows: {different} have a different verdict from the view")
sys.exit(different > 0)
