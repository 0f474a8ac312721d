package endpoint_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"example.com/boxrules/internal/endpoint"
)

func TestOf(t *testing.T) {
	const (
		dieline = endpoint.Dieline
		order   = "/v1/reseller/orders/2026-1-1"
		product = order + "/products/2026-1-1.01"
	)
	for _, test := range []struct {
		target, base string
		want         string
		ids          string // separated by blanks
	}{
		{dieline, "", endpoint.Dieline, ""},
		{dieline, "/", endpoint.Dieline, ""},
		{dieline + "?width=1", "/", endpoint.Dieline, ""},
		{"http://u:p@h:1" + dieline, "/", endpoint.Dieline, ""},
		{endpoint.Quotation, "/", endpoint.Quotation, ""},
		{endpoint.Token, "/", endpoint.Token, ""},
		{order, "/", endpoint.Order, "2026-1-1"},
		{product, "/", endpoint.Product, "2026-1-1 2026-1-1.01"},
		{"/v1/reseller/orders/a%2Fb/products/%7C|", "/", endpoint.Product, "a/b ||"},
		{"/v1/reseller/orders/..", "/", endpoint.Order, ".."},

		// If the base is not known, anything may come before the path.
		{"/a/b%2Fc" + dieline, "", endpoint.Dieline, ""},
		{"/a|b" + dieline, "", endpoint.Dieline, ""},
		{"/" + dieline, "", endpoint.Dieline, ""},
		{"/v1" + endpoint.Token, "", endpoint.Token, ""},
		{order + product, "", endpoint.Product, "2026-1-1 2026-1-1.01"},
		// If it is known, only the base may.
		{"/a%2Fb" + dieline, "/a%2Fb", endpoint.Dieline, ""},
		{"/a%2Fb" + dieline, "/a%2Fb/", endpoint.Dieline, ""},
		{"/a%2fb" + dieline, "/a%2Fb/", "", ""},
		{"/a" + dieline, "/", "", ""},
		{"/" + dieline, "/", "", ""},
		{"/a/a" + dieline, "/a", "", ""},
		{dieline, "/a", "", ""},
		{dieline + dieline, "/", "", ""},
		{order + product, "/", "", ""},

		// Nothing else is the path, whether or not the base is known.
		{"/v1/reseller/diel%69ne", "", "", ""},
		{"/a|/v1/reseller/diel%69ne", "", "", ""},
		{"/v1%2Freseller/dieline", "", "", ""},
		{"/v1/reseller/Dieline", "", "", ""},
		{"/v1//reseller/dieline", "", "", ""},
		{"/v1/./reseller/dieline", "", "", ""},
		{dieline + "/", "", "", ""},
		{dieline + ";a=b", "", "", ""},
		{"/v2/reseller/dieline", "", "", ""},
		{"/?" + dieline, "", "", ""},
		{"/", "", "", ""},
		{"*", "", "", ""},
		{"foo:" + dieline[1:], "", "", ""},
		{"/v1/", "", "", ""},
		{"/v1/reseller/orders", "", "", ""},
		{"/v1/reseller/orders/", "", "", ""},
		{order + "/", "", "", ""},
		{order + "/products", "", "", ""},
		{order + "/products/", "", "", ""},
		{order + "/boxes/2", "", "", ""},
		{product + "/3", "", "", ""},
		{"/v1/reseller/orders//products/2", "", "", ""},
		{"/v1/reseller/%6frders/2026-1-1", "", "", ""},
	} {
		u, err := url.ParseRequestURI(test.target)
		if err != nil {
			t.Fatal(err)
		}
		got, ids := endpoint.Of(u, test.base)
		if got != test.want || !slices.Equal(ids, strings.Fields(test.ids)) {
			t.Errorf("%s with the base %q is %q %q, want %q [%s]", test.target, test.base, got, ids, test.want, test.ids)
		}
	}
}

// TestOfMadeURL has URLs that were not parsed. A RawPath that is not a spelling of the Path is
// ignored, as net/url ignores it.
func TestOfMadeURL(t *testing.T) {
	for _, test := range []struct {
		u    url.URL
		want string
	}{
		{url.URL{Path: endpoint.Dieline}, endpoint.Dieline},
		{url.URL{Path: endpoint.Dieline, RawPath: "/v1/reseller/diel%69ne"}, ""},
		{url.URL{Path: endpoint.Dieline, RawPath: "/x"}, endpoint.Dieline},
		{url.URL{Path: "/x", RawPath: endpoint.Dieline}, ""},
		{url.URL{Path: endpoint.Dieline[1:]}, ""},
		{url.URL{}, ""},
	} {
		if got, _ := endpoint.Of(&test.u, ""); got != test.want {
			t.Errorf("%#v is %q, want %q", test.u, got, test.want)
		}
	}
}

func TestMethods(t *testing.T) {
	for _, of := range endpoint.All {
		want := "GET HEAD"
		if of == endpoint.Token {
			want = "POST"
		}
		if got := strings.Join(endpoint.Methods(of), " "); got != want {
			t.Errorf("%s: %s, want %s", of, got, want)
		}
	}
}

// TestWrittenPathOfMadeURL has URLs that were not parsed. A RawPath that is not a spelling of the Path is ignored.
func TestWrittenPathOfMadeURL(t *testing.T) {
	for _, test := range []struct {
		u    url.URL
		want string
	}{
		{url.URL{Path: "/a", RawPath: "/%61"}, "/%61"},
		{url.URL{Path: "/a", RawPath: "/b"}, "/a"},
		{url.URL{Path: "/a", RawPath: "/%zz"}, "/a"},
		{url.URL{RawPath: "/%zz"}, ""},
		{url.URL{Path: "/a b"}, "/a%20b"},
	} {
		if got := endpoint.WrittenPath(&test.u); got != test.want {
			t.Errorf("%#v: %q, want %q", test.u, got, test.want)
		}
	}
}

func TestWrittenPath(t *testing.T) {
	for _, want := range []string{"/a|b\"<>^`{}#c", "/\xfc\xe9", "//a%2Fb|%62", "/%7C|", "/..//./%2e", "/a b%20c", "*", "/", ""} {
		u := new(url.URL)
		var err error
		if want != "" {
			u, err = url.ParseRequestURI(want)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := endpoint.WrittenPath(u); got != want {
			t.Errorf("of %q it is %q", want, got)
		}
	}
}
