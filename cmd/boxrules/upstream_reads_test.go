// This file has serve --upstream attacked: no service that reads a request otherwise may come to a dieline or a quotation
// that was not judged. Behind it stand Go's mux, nginx, PHP and Express, which tell what they have read. A longer run, of
// so many random requests to each of them and from another seed:
//
//	BOXRULES_ATTACKS=100000 BOXRULES_ATTACK_SEED=7 go test ./cmd/boxrules -run TestUpstreamReads -timeout 0 -v

package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/boxrules"
	"example.com/boxrules/exact"
)

// readHeader is where a service tells the boxes that it has read: JSON in base64, or nginx's own form.
const readHeader = "Reading"

// A readBox is a box as a service has read it; what it could not read is missing.
type readBox struct {
	Article  *string  `json:"article"`
	Material *string  `json:"material"`
	Width    *float64 `json:"width"`
	Depth    *float64 `json:"depth"`
	Height   *float64 `json:"height"`
}

// misread says what is wrong with a box that has come to a service; empty where nothing is.
func misread(b readBox, passUnknown bool) string {
	if b.Article == nil || b.Material == nil || b.Width == nil || b.Depth == nil || b.Height == nil {
		return "" // which no service takes
	}
	box := boxrules.Box{Article: *b.Article, Material: *b.Material,
		Dims: boxrules.Dims{Width: *b.Width, Depth: *b.Depth, Height: *b.Height}}
	verdict, err := boxrules.Default().Check(box)
	if _, unknown := boxrules.Default().Profile(box.Article, box.Material); unknown != nil && passUnknown {
		return ""
	}
	if err != nil {
		return err.Error()
	}
	for _, x := range []float64{box.Width, box.Depth, box.Height} {
		if exact.Units(exact.Grid(x)) != x {
			return fmt.Sprintf("%v has more decimals than were judged", x)
		}
	}
	return string(verdict.Code())
}

// A service is one behind the sidecar.
type service struct {
	name, url string
	read      func(header string) []readBox
}

func fromBase64(header string) (boxes []readBox) {
	text, err := base64.StdEncoding.DecodeString(header)
	if err == nil {
		err = json.Unmarshal(text, &boxes)
	}
	if err != nil {
		panic(fmt.Sprintf("a service says %q: %v", header, err))
	}
	return boxes
}

func fromNginx(header string) []readBox {
	fields := strings.Split(header+strings.Repeat(" ", 5), " ") // what is missing at the end too
	for i := range fields[1:] {
		if text, err := url.QueryUnescape(fields[i+1]); err == nil {
			fields[i+1] = text
		}
	}
	switch fields[0] {
	case "dieline":
		return []readBox{boxOf(fields[1], fields[2], fields[3], fields[4], fields[5])}
	case "quotation":
		return itemsOf(fields[1])
	}
	return nil
}

func boxOf(article, material string, dimensions ...string) readBox {
	b := readBox{Article: &article, Material: &material}
	for i, to := range []**float64{&b.Width, &b.Depth, &b.Height} {
		if x, err := strconv.ParseFloat(strings.TrimSpace(dimensions[i]), 64); err == nil {
			*to = &x
		}
	}
	return b
}

// itemsOf reads items as Go does, whatever the case of their keys.
func itemsOf(text string) (boxes []readBox) {
	if json.Unmarshal([]byte(text), &boxes) != nil {
		return nil
	}
	return boxes
}

// goService reads with Go's mux, and besides with one that cleans and lowers paths.
func goService(t *testing.T) service {
	tell := func(w http.ResponseWriter, boxes ...readBox) {
		text, err := json.Marshal(append([]readBox{}, boxes...))
		if err != nil {
			t.Error(err)
		}
		w.Header().Add(readHeader, base64.StdEncoding.EncodeToString(text))
	}
	dieline := func(w http.ResponseWriter, r *http.Request) {
		get := r.FormValue
		tell(w, boxOf(get("article"), get("material"), get("width"), get("depth"), get("height")))
	}
	quotation := func(w http.ResponseWriter, r *http.Request) { tell(w, itemsOf(r.FormValue("items"))...) }
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/reseller/dieline", dieline)
	mux.HandleFunc("/v1/reseller/quotation", quotation)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		switch path.Base(strings.ToLower(path.Clean(r.URL.Path))) {
		case "dieline":
			dieline(w, r)
		case "quotation":
			quotation(w, r)
		default:
			tell(w)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return service{"Go's mux", server.URL, fromBase64}
}

// freePort is one that was free a moment ago.
func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// need skips the test where the program is missing, but not in CI.
func need(t *testing.T, found bool, what, how string) {
	t.Helper()
	if found {
		return
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("there is no %s here, and in CI this test must run: %s", what, how)
	}
	t.Skipf("SKIPPED: there is no %s here to read requests: %s", what, how)
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// start starts the program until the test ends, and waits for its ports to answer.
func start(t *testing.T, command *exec.Cmd, ports ...string) {
	t.Helper()
	command.Stderr = &lockedBuffer{}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-ended
	})
	for _, port := range ports {
		for {
			connection, err := net.Dial("tcp", "127.0.0.1:"+port)
			if err == nil {
				connection.Close()
				break
			}
			select {
			case <-ended:
				t.Fatalf("%s ended: %s", command, command.Stderr)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
}

func upstreams(t *testing.T, name string) string {
	file, err := filepath.Abs(filepath.Join("testdata", "upstreams", name))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// startPHP gives the port of PHP, which reads cookies as parameters too where no php.ini says otherwise.
func startPHP(t *testing.T) string {
	need(t, installed("php"), "PHP", "apt-get install php-cli")
	port := freePort(t)
	start(t, exec.Command("php", "-n", "-S", "127.0.0.1:"+port, upstreams(t, "router.php")), port)
	return port
}

func phpService(t *testing.T) []service {
	return []service{{"PHP", "http://127.0.0.1:" + startPHP(t), fromBase64}}
}

func nginxService(t *testing.T) []service {
	need(t, installed("nginx"), "nginx", "apt-get install nginx-light")
	text, err := os.ReadFile(upstreams(t, "nginx.conf"))
	if err != nil {
		t.Fatal(err)
	}
	php, port, next := startPHP(t), freePort(t), freePort(t)
	folder := t.TempDir()
	configured := strings.NewReplacer(":PORT", ":"+port, ":NEXT", ":"+next, ":PHP", ":"+php).Replace(string(text))
	if err := os.WriteFile(filepath.Join(folder, "nginx.conf"), []byte(configured), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, exec.Command("nginx", "-p", folder, "-c", "nginx.conf", "-e", "error.log"), port, next)
	return []service{{"nginx", "http://127.0.0.1:" + port, fromNginx}, {"nginx before PHP", "http://127.0.0.1:" + next, fromBase64}}
}

func expressService(t *testing.T) (services []service) {
	need(t, installed("node"), "Node", "apt-get install nodejs")
	_, err := os.Stat(upstreams(t, "node_modules/express"))
	need(t, err == nil, "Express", "npm ci --prefix cmd/boxrules/testdata/upstreams")
	command := exec.Command("node", upstreams(t, "server.js"))
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start(t, command)
	lines := bufio.NewReader(out)
	for _, parser := range []string{"simple", "extended"} {
		port, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%s ended: %s", command, command.Stderr)
		}
		services = append(services, service{"Express, " + parser, "http://127.0.0.1:" + strings.TrimSpace(port), fromBase64})
	}
	return services
}

const (
	goodBox  = "article=tuck-end&material=carton-300&width=143&depth=50&height=303"
	badBox   = "article=tuck-end&material=carton-300&width=10&depth=50&height=303"
	goodItem = `{"article":"tuck-end","material":"carton-300","width":143,"depth":50,"height":303}`
	badItem  = `{"article":"tuck-end","material":"carton-300","width":10,"depth":50,"height":303}`
)

// An attack is a request, byte by byte.
type attack struct {
	method, target string
	headers        []string
	body           string
}

func (a attack) String() string {
	text := a.method + " " + a.target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
	for _, header := range a.headers {
		text += header + "\r\n"
	}
	return text + "\r\n" + a.body
}

// attacks are those that are known.
func attacks() (all []attack) {
	get := func(target string, headers ...string) { all = append(all, attack{"GET", target, headers, ""}) }
	const dieline, quotation = "/v1/reseller/dieline", "/v1/reseller/quotation"
	items := func(text string) string { return "?" + url.Values{"items": {text}}.Encode() }
	for _, bad := range []struct{ resource, query string }{{dieline, "?" + badBox}, {quotation, items("[" + badItem + "]")}} {
		name := path.Base(bad.resource)
		get(bad.resource + bad.query)
		for _, odd := range oddPaths(name) {
			get(odd + bad.query)
		}
		for _, method := range []string{"HEAD", "POST", "PUT", "OPTIONS", "get", "QUERY", "FOO"} {
			for _, header := range []string{"A: b", "X-HTTP-Method-Override: GET", "X-Method-Override: GET", "X_HTTP_METHOD_OVERRIDE: GET"} {
				all = append(all, attack{method, bad.resource + bad.query, []string{header}, ""})
			}
			all = append(all, attack{method, bad.resource + bad.query + "&_method=GET", nil, ""})
		}
		for _, header := range []string{"X-Original-URL: ", "X-Rewrite-URL: ", "X_Original_URL: ", "x-rewrite-url:"} {
			get("/v1/reseller/orders/1"+bad.query, header+bad.resource, "A: b")
			get("/v1/reseller/orders/1"+bad.query, header+bad.resource+bad.query)
		}
		get("http://b"+bad.resource+bad.query, "Accept: */*")
		form := strings.TrimPrefix(bad.query, "?")
		all = append(all, attack{"POST", bad.resource, []string{"Content-Type: application/x-www-form-urlencoded",
			"Content-Length: " + strconv.Itoa(len(form))}, form})
	}
	for _, odd := range oddNames("width") {
		get(dieline + "?" + goodBox + "&" + odd + "=10")
		get(dieline + "?" + odd + "=10&" + goodBox)
	}
	for _, odd := range oddNames("items") {
		get(quotation + items("["+goodItem+"]") + "&" + odd + "=" + url.QueryEscape("["+badItem+"]"))
	}
	get(quotation + items("["+goodItem+"]") + "&items[0][width]=10&items[0][article]=tuck-end")
	for _, more := range []string{"&width=10", ";width=10", "&amp;width=10", "&type=a;width=10", "#&width=10", "%26width=10",
		"&type=%26width%3D10",
		"&type=%2526width%3D10", "&&width=10&",
		"&type=%FFa", "&type=]=&width]=10", "&_method=POST", "&type=" + strings.Repeat("x", 3000)} {
		get(dieline + "?" + goodBox + more)
	}
	for _, header := range []string{"Cookie: width=10", "Cookie: a=b; width=10", "Cookie: WIDTH=10; width[]=10",
		"Connection: keep-alive, Accept",
		"X-HTTP-Method-Override: POST", "X-HTTP-Method-Override: QUERY", "Expect: 100-continue", "Content-Type: a/b; charset=utf-16"} {
		get(dieline+"?"+goodBox, header)
	}
	form := "width=10"
	for _, method := range []string{"GET", "HEAD"} {
		for _, sent := range []attack{
			{headers: []string{"Content-Length: 8"}, body: form},
			{headers: []string{"Content-Length: 8", "Expect: 100-continue"}, body: form},
			{headers: []string{"Transfer-Encoding: chunked"}, body: "8\r\n" + form + "\r\n0\r\n\r\n"},
			{headers: []string{"Transfer-Encoding: chunked", "Trailer: X-Original-URL"},
				body: "8\r\n" + form + "\r\n0\r\nX-Original-URL: /\r\n\r\n"},
		} {
			all = append(all, attack{method, dieline + "?" + goodBox,
				append(sent.headers, "Content-Type: application/x-www-form-urlencoded"), sent.body})
		}
	}
	for _, width := range []string{"400.0004", "19.9996", "143.00049999", "%31%343.0001", "400.0004000", "400.0000000000000000000000001"} {
		get(dieline + "?" + strings.Replace(goodBox, "143", width, 1))
		get(quotation + "?items=" + strings.Replace(url.QueryEscape("["+goodItem+"]"), "143", width, 1))
	}
	for _, width := range []string{"4000004e-4", "400.0004E0", "0.04000004e+4", "%34%30%30.0004e%2B0", "143.0,\"Width\":10",
		"143,\"width\":10",
		"143,\"w%5Cu0069dth\":10", "143,\"WIDTH\":10", "143,\"width%5Cu0000\":10", "143,\"width%5Cu0000x\":10", "143,\"+width\":10",
		"143,\"width+\":10",
		"143,\"%EF%BD%97idth\":10", "143,\"width[]\":10", "\"143\"", "\"10\"", "[10]",
		"143,\"a\":\"%2522,%2522width%2522:10,%2522a%2522:%2522\"",
		"143,\"__proto__\":{\"width\":10}", "1430e-1"} {
		get(quotation + "?items=" + strings.Replace(strings.ReplaceAll("["+goodItem+"]", `"`, "%22"), "143", strings.ReplaceAll(width,
			`"`, "%22"), 1))
	}
	get(quotation + items("\ufeff["+goodItem+"]"))
	get(quotation + items("["+goodItem+"]["+badItem+"]"))
	get(quotation + items("["+goodItem+"]") + "&items=" + url.QueryEscape("["+badItem+"]"))
	for _, article := range []string{"Tuck-end", "TUCK-END", "tuck-end%20", "+tuck-end", "tuck-end%00", "tuck-end%09", "tuck%2Dend",
		"%2574uck-end",
		"t%C3%BCck-end", "%EF%BD%94uck-end", "tuck-end%C2%A0", "tuck-end%00x", "tuck-end%E2%80%8B", "tuck-end."} {
		get(dieline + "?" + strings.Replace(badBox, "tuck-end", article, 1))
	}
	for _, material := range []string{"Carton-300", "carton-300%20", "+carton-300", "carton-300%00", "%EF%BD%83arton-300"} {
		get(dieline + "?" + strings.Replace(badBox, "carton-300", material, 1))
		get(quotation + "?items=" + strings.Replace(url.QueryEscape("["+badItem+"]"), "carton-300", material, 1))
	}
	return all
}

// oddPaths are ways to ask for the resource that somebody may understand.
func oddPaths(name string) []string {
	upper, first, rest := strings.ToUpper(name), name[:1], name[1:]
	hex := fmt.Sprintf("%02x", name[0])
	return []string{
		"/" + name, "/V1/reseller/" + upper, "/v1/reseller/" + upper, "/v1/RESELLER/" + name, "//v1/reseller/" + name, "/v1//reseller/" + name,
		"/v1/reseller//" + name, "/./v1/reseller/" + name, "/v1/./reseller/" + name, "/v1/reseller/./" + name, "/x/../v1/reseller/" + name,
		"/v1/reseller/x/../" + name, "/v1/reseller/%2e/" + name, "/v1/reseller/x/%2e%2e/" + name, "/v1/reseller/x/.%2E/" + name,
		"/v1/reseller/x%2f../" + name, "/v1/reseller%2f" + name, "/v1%2Freseller%2F" + name, "/v1/reseller%252f" + name,
		"/v1/reseller%5c" + name, `/v1/reseller\` + name, `\v1\reseller\` + name, "/v1/reseller/" + name + "/", "/v1/reseller/" + name + "//",
		"/v1/reseller/" + name + "/.", "/v1/reseller/" + name + "/x/..", "/v1/reseller/" + name + ";x=1", "/v1/reseller/" + name + ";",
		"/v1;x/reseller;y/" + name, "/v1/reseller/;/" + name, "/v1/reseller/" + name + ".", "/v1/reseller/" + name + "...",
		"/v1/reseller/" + name + "%20", "/v1/reseller/" + name + "%00", "/v1/reseller/" + name + "%00.png", "/v1/reseller/" + name + "%09",
		"/v1/reseller/" + name + ".json", "/v1/reseller/" + name + ".php", "/v1/reseller/" + name + ".php/x", "/index.php/v1/reseller/" + name,
		"/v1/reseller/" + name + "%3b", "/v1/reseller/" + name + "%3f", "/v1/reseller/" + name + "%23", "/v1/reseller/" + name + "#",
		"/v1/reseller/" + name + "%0a", "/v1/reseller/" + name + "s", "/v1/reseller/x" + name, "/v1/reseller/" + name + "/x",
		"/v1/reseller/%" + hex + rest, "/v1/reseller/%25" + hex + rest, "/v1/reseller/%2525" + hex + rest, "/v1/reseller/%u00" + hex + rest,
		fmt.Sprintf("/v1/reseller/%%C1%%%X", name[0]+0x40) + rest, "/v1/reseller/" + url.PathEscape(string(rune(first[0])+0xFEE0)) + rest,
		"/v1/reseller/" + string(rune(first[0])+0xFEE0) + rest, "/v1/reseller/" + first + "%00" + rest,
		"/v1/reseller/" + first + "%C2%AD" + rest,
		"/base/v1/reseller/" + name, "/v1/reseller/orders/../" + name, "/v1/reseller/orders%2f..%2f" + name,
		"/v1/reseller/dieline/v1/reseller/quotation", "/v1/reseller/quotation/v1/reseller/dieline", "/v1/reseller/orders/v1/reseller/" + name,
		"/v1/reseller/orders/1%20HTTP/1.1%0d%0aHost:a%0d%0a%0d%0aGET%20/v1/reseller/" + name, "/v2/reseller/" + name,
	}
}

// oddNames are names that somebody may take for the name.
func oddNames(name string) []string {
	return []string{
		"+" + name, "%20" + name, name + "+", name + "%20", name + "%00", name + "%00x", "%00" + name, name + "[]", name + "[0]", name + "[",
		name + "%5B%5D", name + "%5b", "[" + name + "]", name + "]", strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:],
		"%25" + fmt.Sprintf("%02x", name[0]) + name[1:], "%u00" + fmt.Sprintf("%02x", name[0]) + name[1:], name + ".", "." + name, name + "%0a",
		"%09" + name, url.QueryEscape(string(rune(name[0])+0xFEE0)) + name[1:], string(rune(name[0])+0xFEE0) + name[1:], name + "%E2%80%8B",
		"%EF%BB%BF" + name, name + "%C2%A0", "%C2%A0" + name, "%" + fmt.Sprintf("%02x", name[0]) + name[1:],
	}
}

// quoted is the text as a string of JSON.
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// randomAttack puts several odd things together.
func randomAttack(random *rand.Rand) attack {
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	often := func(usual, other string) string {
		if random.IntN(12) > 0 {
			return usual
		}
		return other
	}
	name := pick("dieline", "quotation")
	target := often("/v1/reseller/"+name, pick(oddPaths(name)...))
	if random.IntN(20) == 0 { // any one byte
		at := random.IntN(len(target)) + 1
		target = target[:at] + pick("%", "/", ".", ";", "\\", "%2e", "%2f", "%25", "//", "/./", "%00", "%20", "\xe9", "x") + target[at:]
	}
	var query []string
	width := func() string {
		return often(pick("143", "143.00000", "143.0004", "0143"), pick("10", "400.0004", "1430", "1.43e2", "", "[10]", "%31%30"))
	}
	box := func() []string {
		return []string{"article=" + often("tuck-end", pick("Tuck-end", "tuck-end%20", "nope", "%74uck-end", "tuck-end%00")),
			"material=" + often("carton-300", pick("CARTON-300", "nope", "carton-300+")), often("width",
				pick(oddNames("width")...)) + "=" + width(),
			"depth=" + often("50", "50.0001"), "height=303"}
	}
	for range 1 + random.IntN(2) {
		if name == "dieline" {
			query = append(query, box()...)
			continue
		}
		var given []string
		for range 1 + random.IntN(2) {
			item := "{"
			for i, field := range box() {
				key, value, _ := strings.Cut(field, "=")
				key, _ = url.QueryUnescape(key)
				if i < 2 {
					value = quoted(value)
				}
				item += quoted(key) + ":" + value + ","
			}
			given = append(given, strings.TrimSuffix(item, ",")+"}")
		}
		query = append(query, often("items", pick(oddNames("items")...))+"="+url.QueryEscape("["+strings.Join(given, ",")+"]"))
	}
	if random.IntN(8) > 0 { // most queries have each name once
		seen := make(map[string]bool)
		query = slices.DeleteFunc(query, func(parameter string) bool {
			key, _, _ := strings.Cut(parameter, "=")
			twice := seen[key]
			seen[key] = true
			return twice
		})
	}
	if random.IntN(5) == 0 {
		query = append(query, pick(oddNames(pick("width", "items", "article"))...)+"="+pick("10", "[10]", url.QueryEscape("["+badItem+"]")))
	}
	random.Shuffle(len(query), func(i, j int) { query[i], query[j] = query[j], query[i] })
	a := attack{method: often("GET", pick("HEAD", "POST", "get", "PUT", "OPTIONS")), target: target + often("?", pick("?", "%3f",
		"??", "?&")) +
		strings.Join(query, often("&", pick("&&", ";", "&amp;", "%26")))}
	for range max(0, random.IntN(8)-5) { // any bytes anywhere, put in or in place of another
		at := random.IntN(len(a.target)) + 1
		until := min(at+random.IntN(2), len(a.target))
		a.target = a.target[:at] + string([]byte{byte('!' + random.IntN(256-'!'))}) + a.target[until:]
	}
	for range max(0, random.IntN(8)-5) {
		a.headers = append(a.headers, pick("X-Original-URL: /v1/reseller/dieline?"+badBox, "X-HTTP-Method-Override: GET", "Cookie: width=10",
			"Content-Type: application/x-www-form-urlencoded", "X-Rewrite-URL: /V1/reseller/dieline", "Upgrade: h2c",
			"Connection: Upgrade", "Accept: */*"))
	}
	if random.IntN(30) == 0 {
		a.headers, a.body = append(a.headers, "Content-Length: 8"), "width=10"
	}
	return a
}

// send gives what comes back for the request.
func send(t *testing.T, address, request string) string {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, request); err != nil {
		t.Fatal(err)
	}
	// A connection that is reset has said all that it will.
	answer, _ := io.ReadAll(connection)
	return string(answer)
}

func environment(t *testing.T, variable string, otherwise uint64) uint64 {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%s is not a number", variable, text)
	}
	return n
}

func TestUpstreamReads(t *testing.T) {
	count, seed := environment(t, "BOXRULES_ATTACKS", 500), environment(t, "BOXRULES_ATTACK_SEED", 1)
	for _, test := range []struct {
		name     string
		services func(*testing.T) []service
	}{
		{"mux", func(t *testing.T) []service { return []service{goService(t)} }},
		{"nginx", nginxService}, {"PHP", phpService}, {"Express", expressService},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, service := range test.services(t) {
				for _, passUnknown := range []bool{false, true} {
					attackService(t, service, passUnknown, count, rand.New(rand.NewPCG(seed, 1)))
				}
			}
		})
	}
}

func attackService(t *testing.T, service service, passUnknown bool, count uint64, random *rand.Rand) {
	s := startServe(t, "--preflight", "--illustrative", "--upstream", service.url, "--log", "off",
		"--pass-unknown="+strconv.FormatBool(passUnknown))
	sent, arrived, boxes, failed := 0, 0, 0, 0
	one := func(a attack) (read []readBox) {
		sent++
		for _, line := range strings.Split(send(t, strings.TrimPrefix(s.url, "http://"), a.String()), "\r\n") {
			header, ok := strings.CutPrefix(line, readHeader+": ")
			if !ok {
				continue
			}
			arrived++
			for _, box := range service.read(header) {
				boxes++
				read = append(read, box)
				if wrong := misread(box, passUnknown); wrong != "" {
					if failed++; failed <= 20 {
						text, _ := json.Marshal(box)
						t.Errorf("%s has read %s: %s\n%q", service.name, text, wrong, a)
					}
				}
			}
		}
		return read
	}
	for _, target := range []string{"/v1/reseller/dieline?" + goodBox, "/v1/reseller/quotation?items=" + url.QueryEscape("["+goodItem+"]")} {
		read := one(attack{method: "GET", target: target})
		if len(read) == 0 || misread(read[0], false) != "" || read[0].Width == nil || *read[0].Width != 143 {
			t.Fatalf("%s has read %+v of %s", service.name, read, target)
		}
	}
	for _, a := range attacks() {
		one(a)
	}
	for range count {
		one(randomAttack(random))
	}
	t.Logf("%s, --pass-unknown=%v: %d requests, %d arrived with %d boxes, %d not as judged", service.name, passUnknown, sent,
		arrived, boxes, failed)
}
