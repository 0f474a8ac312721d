// Package sandbox is the documented interface offline, for integration tests of its clients: the
// token endpoint, dielines, quotations, orders and products, with every documented error in its
// documented shape.
//
//	server, err := sandbox.New(boxrules.Default(), sandbox.Options{})
//	...
//	address := httptest.NewServer(server).URL
//
// What it decides comes from package preflight. What the interface document does not show, the
// bodies of answers that succeed, it takes from fixtures that the user has recorded; without one it
// answers with a small body that says it is the sandbox's own.
//
// Section numbers in this package are those of docs/interface.md. What that document leaves open is
// decided in docs/interface.md#open-questions.
package sandbox
