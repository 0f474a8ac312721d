package codegen_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"example.com/boxrules/internal/lab"
)

// A database is one that the tests run SQL in.
type database struct {
	dialect string
	install string // what to install where it is missing
	needs   []string
	// special says that a number can be NaN and infinite.
	special bool
	// start makes an empty database. The session that it gives runs statements, and returns the
	// rows of the last with tabs between the columns. A server is started once and serves all
	// tests.
	start func(t *testing.T) session
	// fill are the statements that make the table boxes, with columns id, article, material,
	// width, depth, height. The dimensions have the type number, and are text in the rows.
	fill func(t *testing.T, number string, rows [][]string) string
	// types are those of numbers that are tested besides doubles.
	types []numberType
	// onlyWith is the environment variable that scripts/warehouses sets for a database that takes more
	// than three minutes to install. Without it, no test runs in this database. It is empty for the others.
	onlyWith string
}

type session func(statements string) (string, error)

// A numberType is a type of numbers, with the text of a number in it.
type numberType struct {
	name string
	text func(x float64) string
}

// engineFolder is where npm and pip put what the tests need.
const engineFolder = "testdata/engines/"

// null is the text of a row that means NULL.
const null = `\N`

var databases = []database{
	{
		dialect: "sqlite", install: "apt-get install sqlite3", needs: []string{"sqlite3"}, start: startSQLite, fill: fillSQLite,
		types: []numberType{{"INTEGER", whole}},
	}, {
		dialect: "duckdb", install: "npm ci --prefix codegen/testdata/engines", special: true,
		needs: []string{"node", engineFolder + "node_modules/@duckdb/node-api"},
		start: startScript("node", engineFolder+"duckdb.mjs"), fill: fillDuckDB,
		types: []numberType{{"REAL", single}, {"DECIMAL(38,20)", decimal(20)}, {"DECIMAL(12,4)", decimal(4)}, {"INTEGER", whole}},
	}, {
		dialect: "clickhouse", install: "npm ci --prefix codegen/testdata/engines", special: true,
		needs: []string{"node", engineFolder + "node_modules/chdb"},
		start: startScript("node", engineFolder+"chdb.mjs"), fill: fillClickHouse,
		types: []numberType{{"Float32", single}, {"Decimal(38,20)", decimal(20)}, {"Decimal(12,4)", decimal(4)}, {"Decimal(18,9)", decimal(9)},
			{"Decimal(38,9)", decimal(9)}, {"Decimal(38,10)", decimal(10)}, {"Int32", whole}},
	}, {
		dialect: "postgres", install: "apt-get install postgresql", needs: []string{"psql", postgresBin("initdb")}, special: true,
		start: startPostgres, fill: fillPostgres,
		types: []numberType{{"real", single}, {"numeric(40,20)", decimal(20)}, {"integer", whole}},
	}, {
		dialect: "ansi", install: "apt-get install postgresql", needs: []string{"psql", postgresBin("initdb")}, special: true,
		start: startPostgres, fill: fillPostgres,
	}, {
		dialect: "mariadb", install: "apt-get install mariadb-server", needs: []string{"mariadb", "mariadbd", "mariadb-install-db"},
		start: startMariaDB, fill: fillMariaDB,
		types: []numberType{{"FLOAT", single}, {"DECIMAL(38,20)", decimal(20)}, {"INTEGER", whole}},
	}, {
		dialect: "spark", install: "python3 -m venv codegen/testdata/engines/venv && " +
			"codegen/testdata/engines/venv/bin/pip install -r codegen/testdata/engines/requirements.txt, and a JDK of 17 or later",
		needs: []string{"javac", engineFolder + "venv/bin/spark-submit"}, special: true,
		start: startSpark, fill: fillSpark,
	}, {
		dialect: "trino", install: "scripts/warehouses, which sets TRINO to its class path, and a Java of 17 or later",
		needs: []string{"java"}, special: true, onlyWith: "TRINO",
		start: startTrino, fill: fillTrino,
		types: []numberType{{"REAL", single}, {"DECIMAL(38,20)", decimal(20)}, {"DECIMAL(12,4)", decimal(4)}, {"INTEGER", whole}},
	},
}

func single(x float64) string   { return strconv.FormatFloat(float64(float32(x)), 'f', -1, 64) }
func whole(x float64) string    { return strconv.FormatFloat(math.Round(x), 'f', 0, 64) }
func shortest(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func decimal(places int) func(x float64) string {
	return func(x float64) string {
		// Decimals just below and above the middle between two grid points are the hardest.
		r := new(big.Rat)
		r.SetString(strconv.FormatFloat(x, 'f', -1, 64))
		return r.FloatString(places)
	}
}

// missing returns the program that this database needs and that is not installed, or "".
func (d *database) missing() string {
	for _, name := range d.needs {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if _, err := os.Stat(name); err != nil {
			return name
		}
	}
	return ""
}

// each runs the test in SQLite, and in CI in all databases, or in those of the dialects.
func each(t *testing.T, test func(t *testing.T, d database), dialects ...string) {
	for _, d := range databases {
		if len(dialects) > 0 && !slices.Contains(dialects, d.dialect) {
			continue
		}
		if d.onlyWith != "" && os.Getenv(d.onlyWith) == "" {
			continue
		}
		t.Run(d.dialect, func(t *testing.T) {
			if d.dialect != "sqlite" {
				lab.OnlyCI(t, "in "+d.dialect)
			}
			if missing := d.missing(); missing != "" && os.Getenv("CI") != "" {
				t.Fatalf("%s is missing; install it: %s", missing, d.install)
			} else if missing != "" {
				t.Skipf("%s is missing; install it: %s", missing, d.install)
			}
			test(t, d)
		})
	}
}

// runs runs a command, and returns its output. The error has what it prints on stderr.
func runs(input string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	var out, wrong bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &wrong
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, wrong.String())
	}
	return out.String(), nil
}

// startScript starts a script that is given a folder, and statements on stdin.
func startScript(name, script string) func(t *testing.T) session {
	return func(t *testing.T) session {
		place := filepath.Join(t.TempDir(), "db")
		return func(statements string) (string, error) { return runs(statements, name, script, place) }
	}
}

func startSQLite(t *testing.T) session {
	file := filepath.Join(t.TempDir(), "shop.db")
	return func(statements string) (string, error) {
		return runs(".separator \"\\t\"\n"+statements, "sqlite3", "-batch", "-bail", file)
	}
}

// postgresBin returns the path of a program of the server. Debian does not add its folder to PATH.
func postgresBin(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return name
	}
	return found[len(found)-1]
}

// TestMain stops the servers that tests have started.
func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range stops {
		s()
	}
	os.Exit(code)
}

// stops stop the servers; made counts the databases made in them.
var (
	stops []func()
	made  int
)

// serverFolder is a folder for a server and its socket, whose path must be short.
func serverFolder() (string, error) {
	folder, err := os.MkdirTemp("", "boxrules")
	stops = append(stops, func() { os.RemoveAll(folder) })
	return folder, err
}

func startPostgres(t *testing.T) session {
	folder, err := postgresFolder()
	if err != nil {
		t.Fatal(err)
	}
	made++
	name := fmt.Sprint("shop", made)
	run := func(database, statements string) (string, error) {
		return runs("SET client_min_messages = warning; SET jit = off;\n"+statements,
			"psql", "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", database)
	}
	if _, err := run("postgres", "CREATE DATABASE "+name+";"); err != nil {
		t.Fatal(err)
	}
	return func(statements string) (string, error) { return run(name, statements) }
}

// postgresFolder has a server on a socket. The server refuses to run as root.
var postgresFolder = sync.OnceValues(func() (string, error) {
	folder, err := serverFolder()
	if err != nil {
		return "", err
	}
	var as []string
	if os.Getuid() == 0 {
		owner, err := user.Lookup("postgres")
		if err != nil {
			return "", err
		}
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			return "", err
		}
		as = []string{"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"}
	}
	server := func(name string, args ...string) error {
		command := append(slices.Clone(as), postgresBin(name), "-D", folder+"/data")
		command = append(command, args...)
		c := exec.Command(command[0], command[1:]...)
		c.Dir = folder
		out, err := os.Create(folder + "/" + name) // a pipe would be kept open by the server
		if err != nil {
			return err
		}
		defer out.Close()
		c.Stdout, c.Stderr = out, out
		if err := c.Run(); err != nil {
			text, _ := os.ReadFile(out.Name())
			return fmt.Errorf("%s: %w: %s", name, err, text)
		}
		return nil
	}
	if err := server("initdb", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return "", err
	}
	options := "-k " + folder + " -c listen_addresses='' -c fsync=off"
	if err := server("pg_ctl", "-w", "-l", folder+"/data/log", "-o", options, "start"); err != nil {
		return "", err
	}
	stops = append([]func(){func() { _ = server("pg_ctl", "-w", "-m", "immediate", "stop") }}, stops...)
	return folder, nil
})

func startMariaDB(t *testing.T) session {
	client, err := mariaClient()
	if err != nil {
		t.Fatal(err)
	}
	made++
	name := fmt.Sprint("shop", made)
	// The default of the server compares without case and accents.
	if _, err := runs("CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci", "mariadb", client...); err != nil {
		t.Fatal(err)
	}
	return func(statements string) (string, error) {
		return runs(statements, "mariadb", append(slices.Clip(client), name)...)
	}
}

// mariaClient are the arguments of the client of a server on a socket.
var mariaClient = sync.OnceValues(func() ([]string, error) {
	folder, err := serverFolder()
	if err != nil {
		return nil, err
	}
	data, socket := "--datadir="+folder+"/data", "--socket="+folder+"/socket"
	install := []string{"--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db"}
	serve := []string{"--no-defaults", data, socket, "--skip-networking", "--skip-log-bin"}
	if os.Getuid() == 0 {
		install, serve = append(install, "--user=root"), append(serve, "--user=root")
	}
	if _, err := runs("", "mariadb-install-db", install...); err != nil {
		return nil, err
	}
	server := exec.Command("mariadbd", serve...)
	if err := server.Start(); err != nil {
		return nil, err
	}
	stops = append([]func(){func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}}, stops...)
	user := []string{"--no-defaults", "-u", "root", socket}
	if _, err := runs("", "mariadb-admin", append(user, "--wait=60", "ping")...); err != nil {
		return nil, err
	}
	return append(user, "--default-character-set=utf8mb4", "--local-infile", "-N", "-B"), nil
})

// quickStart has the settings of Java for programs that start often and do not run for long.
const quickStart = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

// startSpark makes a database in a process that serves all tests, as it takes long to start.
func startSpark(t *testing.T) session {
	s, err := sparkProcess()
	if err != nil {
		t.Fatal(err)
	}
	made++
	name := fmt.Sprint("shop", made)
	return func(statements string) (string, error) {
		return s.run(t, fmt.Sprintf("CREATE DATABASE IF NOT EXISTS %s;\nUSE %[1]s;\n%s", name, statements))
	}
}

// startTrino makes a schema in a process that serves all tests.
func startTrino(t *testing.T) session {
	p, err := trinoProcess()
	if err != nil {
		t.Fatal(err)
	}
	made++
	name := fmt.Sprint("shop", made)
	return func(statements string) (string, error) {
		return p.run(t, fmt.Sprintf("-- schema %s\nCREATE SCHEMA IF NOT EXISTS %[1]s;\n%s", name, statements))
	}
}

// run has the process run the statements.
func (p *process) run(t *testing.T, statements string) (string, error) {
	file := filepath.Join(t.TempDir(), "statements.sql")
	if err := os.WriteFile(file, []byte(statements), 0o644); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(p.in, file); err != nil {
		return "", err
	}
	answer, err := p.out.ReadString(0)
	if err != nil {
		return "", err
	}
	answer = strings.TrimSuffix(answer, "\x00")
	if wrong, ok := strings.CutPrefix(answer, "error: "); ok {
		return "", errors.New(wrong)
	}
	return answer, nil
}

// A process reads the names of files with statements, and answers each with its rows and a zero
// byte.
type process struct {
	in  io.Writer
	out *bufio.Reader
}

var sparkProcess = sync.OnceValues(func() (*process, error) {
	folder, err := serverFolder()
	if err != nil {
		return nil, err
	}
	script, err := filepath.Abs(engineFolder + "spark.py")
	if err != nil {
		return nil, err
	}
	c := exec.Command(filepath.Join(filepath.Dir(script), "venv/bin/python"), script)
	c.Dir = folder
	c.Env = append(os.Environ(), "JAVA_TOOL_OPTIONS="+quickStart)
	return startProcess(c)
})

var trinoProcess = sync.OnceValues(func() (*process, error) {
	return startProcess(exec.Command("java", "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/java.lang=ALL-UNNAMED",
		"-Xmx3g", "-cp", os.Getenv("TRINO"), engineFolder+"Trino.java"))
})

func startProcess(c *exec.Cmd) (*process, error) {
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stops = append([]func(){func() {
		_ = in.Close() // which ends it
		_ = c.Wait()
	}}, stops...)
	return &process{in, bufio.NewReader(out)}, c.Start()
}

// file writes the rows to a file, with tabs between the columns, and backslashes doubled where
// the database undoes that.
func file(t *testing.T, rows [][]string, doubled bool) string {
	t.Helper()
	var b strings.Builder
	for _, row := range rows {
		row = slices.Clone(row)
		for i, text := range row {
			if doubled && text != null {
				row[i] = strings.ReplaceAll(text, `\`, `\\`)
			}
		}
		b.WriteString(strings.Join(row, "\t") + "\n")
	}
	name := filepath.Join(t.TempDir(), "boxes.tsv")
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// fillSQLite writes numbers as fractions, as SQLite does not read all decimals to the nearest
// double.
func fillSQLite(t *testing.T, number string, rows [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE boxes (id INTEGER, article TEXT, material TEXT, width %s, depth %[1]s, height %[1]s);\nBEGIN;\n", number)
	for chunk := range slices.Chunk(rows, 500) {
		var texts []string
		for _, row := range chunk {
			values := []string{row[0]}
			for i, text := range row[1:] {
				switch x, err := strconv.ParseFloat(text, 64); {
				case text == null:
					text = "NULL"
				case i < 2 || err != nil:
					text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
				case math.Abs(x) <= 1e6 && x != math.Trunc(x):
					r := new(big.Rat).SetFloat64(x)
					text = fmt.Sprintf("%s/%s.0", r.Num(), r.Denom())
				}
				values = append(values, text)
			}
			texts = append(texts, "("+strings.Join(values, ",")+")")
		}
		fmt.Fprintf(&b, "INSERT INTO boxes VALUES %s;\n", strings.Join(texts, ",\n"))
	}
	return b.String() + "COMMIT;\n"
}

func fillDuckDB(t *testing.T, number string, rows [][]string) string {
	return fmt.Sprintf("CREATE TABLE boxes AS SELECT CAST(id AS BIGINT) AS id, article, material, CAST(width AS %s) AS width, "+
		"CAST(depth AS %[1]s) AS depth, CAST(height AS %[1]s) AS height FROM read_csv('%s', delim = '\t', header = false, quote = '', "+
		"escape = '', nullstr = '\\N', all_varchar = true, names = ['id', 'article', 'material', 'width', 'depth', 'height']);\n",
		number, file(t, rows, false))
}

func fillClickHouse(t *testing.T, number string, rows [][]string) string {
	columns := fmt.Sprintf("id Int64, article Nullable(String), material Nullable(String), width Nullable(%s), depth Nullable(%[1]s), "+
		"height Nullable(%[1]s)", strings.ReplaceAll(number, "DOUBLE PRECISION", "Float64"))
	return fmt.Sprintf("CREATE TABLE boxes (%s) ENGINE = MergeTree ORDER BY id;\nINSERT INTO boxes SELECT * FROM "+
		"file('%s', TabSeparated, '%[1]s') SETTINGS precise_float_parsing = 1;\n", columns, file(t, rows, true))
}

const createBoxes = "CREATE TABLE boxes (id BIGINT, article VARCHAR(200), material VARCHAR(200), width %s, depth %[1]s, height %[1]s)"

func fillPostgres(t *testing.T, number string, rows [][]string) string {
	return fmt.Sprintf(createBoxes+";\n\\copy boxes from '%[2]s'\nANALYZE boxes;\n", number, file(t, rows, true))
}

func fillMariaDB(t *testing.T, number string, rows [][]string) string {
	return fmt.Sprintf(createBoxes+";\nLOAD DATA LOCAL INFILE '%[2]s' INTO TABLE boxes;\n", number, file(t, rows, true))
}

func fillSpark(t *testing.T, number string, rows [][]string) string {
	return fmt.Sprintf("CREATE TABLE boxes (id BIGINT, article STRING, material STRING, width %s, depth %[1]s, height %[1]s) USING csv "+
		"OPTIONS (path '%s', sep '\\t', quote '', nullValue '\\\\N');\n", strings.ReplaceAll(number, " PRECISION", ""), file(t, rows, false))
}

// fillTrino writes the rows as literals, because the memory connector reads no files.
func fillTrino(_ *testing.T, number string, rows [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, createBoxes+";\n", strings.ReplaceAll(number, " PRECISION", ""))
	for chunk := range slices.Chunk(rows, 500) {
		var texts []string
		for _, row := range chunk {
			cells := []string{row[0]}
			for i, text := range row[1:] {
				switch {
				case text == null:
					text = "NULL"
				case i < 2:
					text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
				default:
					text = fmt.Sprintf("CAST('%s' AS %s)", strings.NewReplacer("+Inf", "Infinity", "-Inf", "-Infinity").Replace(text),
						strings.ReplaceAll(number, " PRECISION", ""))
				}
				cells = append(cells, text)
			}
			texts = append(texts, "("+strings.Join(cells, ", ")+")")
		}
		fmt.Fprintf(&b, "INSERT INTO boxes VALUES %s;\n", strings.Join(texts, ",\n"))
	}
	return b.String()
}
