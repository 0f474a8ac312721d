package codegen

import (
	"fmt"
	"slices"
	"strings"
)

// sparkProfilesView returns the statement that creates box_profiles as a temporary view over VALUES. The same
// session can replace the view later, and no files are left over for later sessions. The first row is for
// boxes without a profile.
func (s *sqlFile) sparkProfilesView() string {
	names := []string{"article", "material"}
	for _, c := range s.columns {
		names = append(names, c.name)
	}
	rows := []string{s.sparkRow("", "", make([]string, len(s.columns)))}
	for row, form := range s.forms {
		rows = append(rows, s.sparkRow(form.Article, form.Material, s.values(row)))
	}
	return fmt.Sprintf("CREATE OR REPLACE TEMPORARY VIEW box_profiles AS\nSELECT *, CONCAT(article, '\\n', material) AS profile, '%s' AS sha256 FROM VALUES\n  %s\nAS t(%s)",
		s.sha256, strings.Join(rows, ",\n  "), strings.Join(names, ", "))
}

// sparkRow returns a row of VALUES, in which numbers are doubles and flags are integers. An empty value
// becomes 0.
func (s *sqlFile) sparkRow(article, material string, values []string) string {
	cells := []string{s.literal(article), s.literal(material)}
	for i, value := range values {
		if value == "" {
			value = "0"
		}
		if !s.columns[i].isFlag {
			value += "D"
		}
		cells = append(cells, value)
	}
	return "(" + strings.Join(cells, ", ") + ")"
}

// sparkJoin returns the clause that joins a row with its profile. A row that has no profile is joined with the
// first row of box_profiles. The clause is not a LEFT JOIN, because after a LEFT JOIN the columns of p could be
// NULL, and Spark would need more code to read them. The key of a profile is its article and its material,
// joined by a line break, which no code contains.
func (s *sqlFile) sparkJoin(row, profiles string) string {
	var keys []string
	for _, form := range s.forms {
		article, material := s.literal(form.Article), s.literal(form.Material)
		keys = append(keys, strings.TrimSuffix(article, "'")+`\n`+strings.TrimPrefix(material, "'"))
	}
	key := fmt.Sprintf(`CONCAT(%sarticle, '\n', %[1]smaterial)`, row)
	return fmt.Sprintf(`JOIN %s AS p ON p.profile = IF(%s IN (%s), %[2]s, '\n')`, profiles, key, strings.Join(keys, ", "))
}

// sparkArticles returns the articles as a list of SQL literals.
func (s *sqlFile) sparkArticles() string {
	var articles []string
	for _, form := range s.forms {
		articles = append(articles, s.literal(form.Article))
	}
	return strings.Join(slices.Compact(articles), ", ")
}
