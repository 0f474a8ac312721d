// Runs files of statements in DuckDB or ClickHouse, and after each statement a query: interleave.mjs duckdb|clickhouse FOLDER. Reads
// {"files": [["statement", …], …], "query": "…"} from stdin. Prints the row of each query. The query has a connection of its own in
// DuckDB, so it runs beside a transaction that is still open.
import { readFileSync } from "node:fs";

const [engine, folder] = process.argv.slice(2);
const { files, query } = JSON.parse(readFileSync(0, "utf8"));
let run, ask;
if (engine === "duckdb") {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(folder, { threads: "2" });
  const [writer, reader] = [await instance.connect(), await instance.connect()];
  run = (statement) => writer.run(statement);
  ask = async () => (await reader.runAndReadAll(query)).getRows()[0].join("\t");
} else {
  const { Session } = await import("chdb");
  const session = new Session(folder);
  run = (statement) => session.query(statement);
  ask = () => session.query(query, "TabSeparated").trim();
}
for (const statements of files) {
  for (const statement of statements) {
    await run(statement);
    console.log(await ask());
  }
}
