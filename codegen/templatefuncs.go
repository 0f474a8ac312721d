package codegen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"example.com/boxrules"
	"example.com/boxrules/form"
	"example.com/boxrules/internal/strictjson"
)

// templateFunctions are the functions that templates call.
var templateFunctions = template.FuncMap{
	"quote":         func(x any) string { return quoted(fmt.Sprint(x)) },
	"key":           propertyName,
	"list":          joinNumbers,
	"inKeyOrder":    inKeyOrder,
	"include":       moduleBody,
	"after":         declarationsAfter,
	"together":      sortedUnion,
	"isUserDefined": isUserDefined,
	"hasOtherUnit":  hasOtherUnit,
}

// isUserDefined reports whether the code belongs to a user-defined rule. For such a rule, a form shows the
// message from the rule file. For the documented codes, the form has its own messages, which also mention the
// bound.
func isUserDefined(code boxrules.Code) bool {
	_, documented := code.Info()
	return !documented
}

// commentSafeName escapes a file name, so that it cannot end the comment that contains it.
func commentSafeName(name string) string {
	text := strconv.Quote(name)
	return text[1 : len(text)-1]
}

// npmFile returns the text of the named file in the npm package.
func npmFile(name string) string {
	text, err := form.Files.ReadFile(name)
	if err != nil {
		panic(err) // all files are embedded
	}
	return string(text)
}

// moduleBody returns the code of a module in the npm package without its imports and exports, for inclusion in another
// module.
func moduleBody(name string) string {
	var b strings.Builder
	for line := range strings.Lines(npmFile(name)) {
		if !strings.HasPrefix(line, "import ") && !strings.HasPrefix(line, "export ") {
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// declarationsAfter returns the part of the named file in the npm package that follows the line ending with the given
// text.
func declarationsAfter(name, end string) string {
	_, declarations, ok := strings.Cut(npmFile(name), end+"\n\n")
	if !ok {
		panic(name + " has no line that ends in " + end)
	}
	return declarations
}

func joinNumbers(numbers []int) string {
	return strings.ReplaceAll(fmt.Sprint(numbers), " ", ", ")
}

// propertyName returns the name as a key for an object literal. Only __proto__ would have a special meaning
// there, so it is written in brackets, which make it an ordinary key.
func propertyName(name string) string {
	if name == "__proto__" {
		return `["__proto__"]`
	}
	return quoted(name)
}

// quoted returns text as a string literal for JSON, JavaScript and TypeScript. The generated file may be placed
// in a script element of an HTML page, so quoted escapes </ and <!. Otherwise, text such as </script> could end
// the element.
func quoted(text string) string {
	return strings.NewReplacer("</", `<\/`, "<!", `\u003c!`, "\n", "").Replace(string(strictjson.Marshal(text)))
}

// inKeyOrder returns the materials in the order in which JavaScript lists the keys of an object. Keys that
// are array indices come first, sorted as numbers: "b", "10", "2" becomes "2", "10", "b".
func inKeyOrder(materials []articleMaterial) []articleMaterial {
	// An array index is a whole number below 2^32 - 1 without leading zeros: "07" is an ordinary key.
	arrayIndex := func(m articleMaterial) uint64 {
		n, err := strconv.ParseUint(m.Code, 10, 32)
		if err != nil || strconv.FormatUint(n, 10) != m.Code || n == math.MaxUint32 {
			return math.MaxUint64 // not an array index
		}
		return n
	}
	ordered := slices.Clone(materials)
	slices.SortStableFunc(ordered, func(a, b articleMaterial) int { return cmp.Compare(arrayIndex(a), arrayIndex(b)) })
	return ordered
}

// sortedUnion merges lists of condition indices into one ascending list, because conditions are checked in
// ascending order of their indices.
func sortedUnion(lists ...[]int) []int {
	all := slices.Concat(lists...)
	slices.Sort(all)
	return all
}
