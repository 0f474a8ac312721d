// Runs the statements of stdin in the database that is named, and prints the rows of the last.
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

const instance = await DuckDBInstance.create(process.argv[2], { threads: "2" });
const connection = await instance.connect();
const reader = await connection.runAndReadAll(readFileSync(0, "utf8"));
for (const row of reader.getRows()) console.log(row.map((x) => (x === null ? "\\N" : x)).join("\t"));
