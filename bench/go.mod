module example.com/boxrules/bench

go 1.25.0

require (
	example.com/boxrules v0.0.0
	github.com/expr-lang/expr v1.17.8
)

require gopkg.in/yaml.v3 v3.0.1 // indirect

replace example.com/boxrules => ../
