// Runs the statements of stdin, each of which ends in a semicolon at the end of a line, in the database that is named, and
// prints the rows of the last.
import { readFileSync } from "node:fs";
import { Session } from "chdb";

const session = new Session(process.argv[2]);
let rows = "";
for (const statement of readFileSync(0, "utf8").split(/;\n/)) {
  if (statement.replace(/^--.*$/gm, "").trim() !== "") rows = session.query(statement, "TabSeparated");
}
process.stdout.write(rows);
