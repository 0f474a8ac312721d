// Schema writes the JSON Schemas for rule files, limit files and frames. Editors use them to check these files and
// to complete what people type.
//
//	go run ./tools/schema rules/rules.schema.json limits/limits.schema.json limits/frame.schema.json
//
// The schemas use draft-07, because the YAML language servers of editors support it best. They describe only the
// structure of a file. The loader checks everything else: conditions, names, and how numbers relate to each other.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"strings"

	"example.com/boxrules"
	"example.com/boxrules/exact"
	"example.com/boxrules/internal/strictjson"
	"example.com/boxrules/limits"
)

// A schema is a JSON Schema. In the output, its keys are in alphabetical order.
type schema map[string]any

func main() {
	if len(os.Args) != 4 {
		log.Fatal("usage: schema RULES LIMITS FRAME, the names of the files to write")
	}
	for i, s := range []schema{ruleFile(), limitFile(false), limitFile(true)} {
		s["$schema"] = "http://json-schema.org/draft-07/schema#"
		var text bytes.Buffer
		err := json.Indent(&text, strictjson.Marshal(s), "", "  ")
		if err == nil {
			err = os.WriteFile(os.Args[1+i], text.Bytes(), 0o644)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

const customCode = "^[A-Z]{1,32}_[0-9]{4}$"

func ruleFile() schema {
	message := schema{
		"description": "what people read: a text, or a text for each language; the first is for all other languages",
		"oneOf": []schema{
			text("in any language"),
			{"type": "object", "minProperties": 1, "propertyNames": schema{"pattern": "^[a-z]{2,3}$"}, "additionalProperties": text("in this language")},
		},
	}
	rule := object("A box for which the condition holds violates the rule.", schema{
		"code":    schema{"type": "string", "pattern": customCode, "description": "the code to report, such as BOX_3100 or one of your own"},
		"when":    text("the condition, such as depth > width; a box for which it holds is refused"),
		"message": message,
	}, "code", "when", "message")
	stage := func(about string) schema { return list(about+" File order is check order.", rule) }
	s := object("Rules of boxrules", schema{
		"version":    version(),
		"unit":       unit("the unit of the lengths in conditions; mm if this is left out. It may differ from the unit of the limits if both are mm, cm, m or in"),
		"extends":    schema{"const": "documented", "description": "keep the documented rules, and add the rules of this file to them"},
		"values":     declaredValues(),
		"boundary":   stage("Checked first, for every box: the limits of an article."),
		"constraint": stage("Checked second, for the articles that list their codes."),
		"size":       stage("Checked last, for every box whose article has a blank."),
	}, "version")
	// A rule file must extend the documented rules, or have a stage that is not empty.
	rules := []schema{{"required": []string{"extends"}}}
	for _, stage := range []string{"boundary", "constraint", "size"} {
		rules = append(rules, schema{"required": []string{stage}, "properties": schema{stage: schema{"minItems": 1}}})
	}
	s["anyOf"] = rules // at least one rule is required
	return s
}

// limitFile returns the schema for limit files or, if frame is true, for frames. A frame is a limit file in which the
// keys whose values the learn command finds out are optional.
func limitFile(frame bool) schema {
	// In a frame, the keys that learn finds out are optional.
	unlessFrame := func(keys ...string) []string {
		if frame {
			return nil
		}
		return keys
	}
	sheet := object("The usable area of a printing sheet.", schema{"width": length(""), "height": length("")}, "width", "height")
	material := object("", schema{
		"caliper":    length("the thickness"),
		"glue_flap":  schema{"type": "number", "minimum": 0, "maximum": exact.MaxDimension, "description": "the width of the glue flap; 0 if there is none"},
		"sheet":      text("the code of the largest sheet for this material"),
		"min_sheets": schema{"type": "integer", "minimum": 1, "maximum": 1_000_000_000, "description": "the smallest order"},
		"values":     values("for every article in this material"),
	}, append(unlessFrame("sheet"), "caliper", "glue_flap")...)
	limitsOf := func(axis string) schema {
		return object("The smallest and the greatest "+axis+" that can be made, both included.", schema{"min": length(""), "max": length("")}, "min", "max")
	}
	blank := object("The size of the flat blank. Without it the size stage is not checked.", schema{
		"width":  text("a formula, such as 2*width + 2*depth + glue_flap"),
		"height": text("a formula, such as height + 2*depth"),
		"style":  style(),
	})
	blank["oneOf"] = []schema{
		{"required": []string{"width", "height"}, "not": schema{"required": []string{"style"}}},
		{"required": []string{"style"}, "properties": schema{"width": false, "height": false}},
	}
	materials := list("The codes of the article's materials; all materials if this is left out.", text(""))
	materials["minItems"] = 1
	article := object("", schema{
		"title":       text("the name for people"),
		"materials":   materials,
		"width":       limitsOf("width"),
		"depth":       limitsOf("depth"),
		"height":      limitsOf("height"),
		"constraints": list("The codes of the constraints that apply to the article; [] for none.", constraint()),
		"blank":       blank,
		"values":      values("for this article in every material"),
	}, unlessFrame("width", "depth", "height", "constraints")...)
	title := "Limits of boxrules"
	if frame {
		title = "Frame of boxrules: the facts that the service's answers do not show"
	}
	return object(title, schema{
		"version":   version(),
		"unit":      unit("the unit of all lengths: mm, cm, m, in (inches), or another word that the rules also use"),
		"decimals":  schema{"enum": []int{0, 1, 2, 3}, "description": "the number of decimals that a dimension may have; 3 if this is left out"},
		"values":    values("for every article in every material"),
		"sheets":    table(sheet),
		"materials": table(material),
		"articles":  table(article),
	}, append(unlessFrame("sheets"), "version", "unit", "materials", "articles")...)
}

// style returns the schema for the code of a standard style. The description of each code contains the name of the
// style, its formulas and the values that it needs, so that editors show them.
func style() schema {
	var all []schema
	for _, s := range limits.Styles() {
		about := s.Name + ": " + s.Width + " x " + s.Height
		if len(s.Values) > 0 {
			about += "; needs " + strings.Join(s.Values, ", ")
		}
		all = append(all, schema{"const": s.Code, "description": about})
	}
	return schema{"anyOf": all, "description": "the code of a standard style, in place of formulas"}
}

// constraint returns the schema for a code in the constraints of an article. The description of a documented code
// is its condition, so that editors show the condition.
func constraint() schema {
	var documented []schema
	var codes []string
	for _, r := range boxrules.DefaultRules().Rules() {
		if r.Stage == boxrules.Constraint {
			documented = append(documented, schema{"const": r.Code, "description": r.When})
			codes = append(codes, string(r.Code))
		}
	}
	// Without "not", a documented code would match twice, and editors would show both descriptions.
	custom := schema{"type": "string", "pattern": customCode, "not": schema{"enum": codes}, "description": "a rule of your own"}
	return schema{"anyOf": append(documented, custom)}
}

func object(about string, properties schema, required ...string) schema {
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return described(s, about)
}

// table returns the schema for an object whose keys are codes and whose values match the schema entry.
func table(entry schema) schema {
	return schema{"type": "object", "minProperties": 1, "propertyNames": schema{"minLength": 1, "maxLength": 64}, "additionalProperties": entry}
}

// values returns the schema for user-defined values. purpose is the part of the description that says what the
// values apply to.
func values(purpose string) schema {
	number := func(about string) schema {
		return described(schema{"type": "number", "minimum": -exact.MaxDimension, "maximum": exact.MaxDimension}, about)
	}
	// List the names that standard styles need, so that editors propose them. Editors cannot know the names that a
	// rule file declares.
	needed := make(schema)
	for _, s := range limits.Styles() {
		for _, name := range s.Values {
			if _, ok := needed[name]; !ok {
				needed[name] = number("a length that some standard styles need, such as " + s.Code)
			}
		}
	}
	return schema{
		"type": "object", "propertyNames": valueName(), "properties": needed, "additionalProperties": number(""),
		"description": "Numbers of your own by name, " + purpose + ". Formulas may use them, and so may the rules that declare them. " +
			"A name is given at one level.",
	}
}

func valueName() schema { return schema{"pattern": "^[a-z][a-z0-9_]{0,31}$"} }

// declaredValues returns the schema for the values that a rule file declares.
func declaredValues() schema {
	kind := schema{"anyOf": []schema{
		{"const": boxrules.LengthValue, "description": "in the unit of the limit file; converted to the unit of the rules"},
		{"const": boxrules.NumberValue, "description": "without a unit, such as a ratio"},
	}}
	return schema{
		"type": "object", "propertyNames": valueName(), "additionalProperties": kind, "maxProperties": 32,
		"description": "Values that conditions may use, as length or number. The limit file sets their numbers, at the top level, in a material or in an article.",
	}
}

func list(about string, item schema) schema {
	return described(schema{"type": "array", "items": item, "uniqueItems": true}, about)
}

func text(about string) schema { return described(schema{"type": "string", "minLength": 1}, about) }

func length(about string) schema {
	return described(schema{"type": "number", "exclusiveMinimum": 0, "maximum": exact.MaxDimension}, about)
}

func version() schema { return schema{"const": 1, "description": "the version of the file format"} }

func unit(about string) schema {
	return schema{"type": "string", "pattern": "^[A-Za-z]{1,8}$", "description": about}
}

func described(s schema, about string) schema {
	if about != "" {
		s["description"] = about
	}
	return s
}
