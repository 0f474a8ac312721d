module example.com/boxrules

go 1.25.0

// What npm installs there is not ours.
ignore ./form/node_modules

require (
	github.com/expr-lang/expr v1.17.8
	gopkg.in/yaml.v3 v3.0.1
	pgregory.net/rapid v1.3.0 // tests and package boxtest only
)
