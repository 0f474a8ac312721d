package main

import (
	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
)

// pairText returns an article in a material for people, such as `tray in carton-300`.
func pairText(article, material string) string {
	return console.Printable(article) + " in " + console.Printable(material)
}

// boxText returns a box, such as `tray in carton-300 48 x 141 x 184`.
func boxText(b boxrules.Box) string { return pairText(b.Article, b.Material) + " " + dimsText(b.Dims) }

func dimsText(d boxrules.Dims) string { return console.Size(d.Width, d.Depth, d.Height) }
