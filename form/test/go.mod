module example.com/boxrules/form/test

go 1.25.0

require (
	example.com/boxrules v0.0.0
	github.com/andybalholm/brotli v1.2.7
	github.com/coder/websocket v1.8.15
	github.com/dop251/goja v0.0.0-20260917113740-793a2a65c13b
	github.com/evanw/esbuild v0.28.2
)

require (
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/expr-lang/expr v1.17.8 // indirect
	github.com/go-sourcemap/sourcemap v2.1.3+incompatible // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	golang.org/x/sys v0.0.0-20220722155257-8c9f86f7a55f // indirect
	golang.org/x/text v0.3.8 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

replace example.com/boxrules => ../..
