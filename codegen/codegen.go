// Package codegen writes compiled profiles in other languages.
//
// [JavaScript] writes tables of half-spaces, with the evaluator of package form that reads them;
// [SQL] writes a table of their numbers, with a view that compares. No condition is translated,
// only its exact form: so the verdicts are those of the engine by construction, on the same grid
// of thousandths and in the same order.
package codegen

import (
	"slices"

	"example.com/boxrules"
	"example.com/boxrules/limits"
)

// Options say what to write.
type Options struct {
	// Articles holds the codes of the articles to write; empty means all of the catalogue's.
	Articles []string
	// WithoutNearest leaves out the search for the nearest valid box, and with it turned boxes
	// and suggestions.
	WithoutNearest bool
	// Imports has a module import the evaluator, the search and the English texts from the files
	// of the npm package, which then have to lie next to it. Without it the module holds them
	// itself.
	Imports bool
}

// Files holds an ES module and the TypeScript declarations that belong to it.
type Files struct {
	Module       []byte // .js
	Declarations []byte // .d.ts
}

// An offer holds an article with the profiles of its materials.
type offer struct {
	article  limits.Article
	profiles []*boxrules.Profile
}

// offers returns the articles to write, in the order of the catalogue.
func offers(e *boxrules.Engine, articles []string) ([]offer, error) {
	for _, code := range articles {
		_, err := e.Profile(code, "")
		if input, ok := err.(*boxrules.InputError); ok && input.Field == "article" {
			return nil, err
		}
	}
	var chosen []offer
	for _, article := range e.Catalogue().Articles() {
		if len(articles) > 0 && !slices.Contains(articles, article.Code) {
			continue
		}
		o := offer{article: article}
		for _, material := range article.Materials {
			p, _ := e.Profile(article.Code, material) // which the engine has
			o.profiles = append(o.profiles, p)
		}
		chosen = append(chosen, o)
	}
	return chosen, nil
}
