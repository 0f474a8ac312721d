package sidecar

import "testing"

func TestDocumentedPath(t *testing.T) {
	for path, want := range map[string]string{
		"/v1/reseller/dieline": dielinePath, "/a/b/v1/reseller/quotation": quotationPath, "/v1/v1/oauth2/token": tokenPath,
		"/v1/reseller/orders/2026-1-1": orderPath, "/v1/reseller/orders/2026-1-1/products/2026-1-1.01": productPath,
		"": "other", "/": "other", "/v1/": "other", "v1/reseller/dieline": "other", "/v1/reseller/dieline/": "other",
		"/v1/reseller/orders": "other", "/v1/reseller/orders/": "other", "/v1/reseller/orders/1/": "other",
		"/v1/reseller/orders/1/products": "other", "/v1/reseller/orders/1/products/": "other", "/v1/reseller/orders/1/products/2/3": "other",
		"/v1/reseller/orders//products/2": "other", "/v1/reseller/orders/1/boxes/2": "other", "/v2/reseller/dieline": "other",
	} {
		if got := documentedPath(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
