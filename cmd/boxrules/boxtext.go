package main

import (
	"example.com/boxrules"
	"example.com/boxrules/cmd/boxrules/internal/console"
)

// productText formats an article and a material, such as `tray in carton-300`.
func productText(article, material string) string {
	return console.ProductText(article, material)
}

// boxText formats a box, such as `tray in carton-300 48 x 141 x 184`.
func boxText(b boxrules.Box) string {
	return productText(b.Article, b.Material) + " " + boxDimsText(b.Dims)
}

func boxDimsText(d boxrules.Dims) string { return console.SizeText(d.Width, d.Depth, d.Height) }
