package main

import (
	"bytes"
	"runtime/debug"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// list is the bill of materials: what is in the binaries, by what the toolchain recorded, and in the image.
func (r *release) list(binaries []binary) ([]file, error) {
	components := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(binaries[0].info.GoVersion, "go"))}
	for _, module := range modules(binaries) {
		components = append(components, component(cyclonedx.ComponentTypeLibrary, module.Path, module.Version))
	}
	if own, ok := debug.ReadBuildInfo(); ok {
		for _, module := range own.Deps {
			if module.Path == "golang.org/x/crypto/x509roots/fallback" { // see authorities
				components = append(components, component(cyclonedx.ComponentTypeData, module.Path, module.Version))
			}
		}
	}
	command := component(cyclonedx.ComponentTypeApplication, binaries[0].info.Path, "v"+r.version)
	command.Licenses = &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "MIT"}}}
	needs := cyclonedx.Dependency{Ref: command.BOMRef, Dependencies: new([]string)}
	for _, c := range components {
		*needs.Dependencies = append(*needs.Dependencies, c.BOMRef)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.commit.time.Format(time.RFC3339), Component: &command}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{needs}
	data := new(bytes.Buffer)
	err := cyclonedx.NewBOMEncoder(data, cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return []file{{name: "boxrules_" + r.version + ".cdx.json", data: data.Bytes()}}, err
}

// component is a module of Go.
func component(kind cyclonedx.ComponentType, path, version string) cyclonedx.Component {
	url := "pkg:golang/" + path + "@" + version
	return cyclonedx.Component{BOMRef: url, Type: kind, Name: path, Version: version, PackageURL: url}
}
