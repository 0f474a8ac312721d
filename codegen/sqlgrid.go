package codegen

import (
	"fmt"
	"strings"

	"example.com/boxrules/exact"
)

// gridPointSQL returns SQL for the grid point of a double, floor(x * 1000 + 0.5). The SQL returns NULL if the
// double is NaN or not between -1000000 and 1000000, or if it has more than the given number of decimals.
func gridPointSQL(double string, decimals int) string {
	floor := fmt.Sprintf("FLOOR(%s * %d + 0.5)", double, stepsPerUnit(decimals))
	return fmt.Sprintf("CASE WHEN %s BETWEEN -1000000 AND 1000000 THEN %s END", double, checkedGridPointSQL(double, floor, decimals))
}

// stepsPerUnit returns the number of steps in a unit if dimensions have the given number of decimals. For one
// decimal it is 10.
func stepsPerUnit(decimals int) int64 { return exact.Scale / exact.StepOf(decimals) }

// checkedGridPointSQL returns SQL for the grid point of a double. floor is SQL for the double rounded to a
// whole number of steps. If dimensions have three decimals, that is the grid point. If they have fewer, a
// double between two steps is an error, and the SQL returns NULL.
func checkedGridPointSQL(double, floor string, decimals int) string {
	if decimals == 3 {
		return floor
	}
	// The double is on a step if it equals the whole number of steps divided by the steps per unit, as in
	// exact.OnStep. Because of the E0, the division is one of doubles and not of integers.
	steps := stepsPerUnit(decimals)
	return fmt.Sprintf("CASE WHEN %s / %dE0 = %s THEN %[1]s * %[4]d END", floor, steps, double, exact.Scale/steps)
}

// sqliteGridPoint returns SQL for the grid point of a dimension. The SQL returns NULL for text, which SQLite
// would otherwise read as 0. It does not use FLOOR, because some builds of SQLite do not have it. CAST rounds
// towards 0 instead, so 1 is subtracted if that rounds up.
func sqliteGridPoint(x string, decimals int) string {
	floor := fmt.Sprintf("CAST(%s AS INTEGER) - (%[1]s < CAST(%[1]s AS INTEGER))",
		fmt.Sprintf("%s * %d.0 + 0.5", x, stepsPerUnit(decimals)))
	if decimals < 3 {
		floor = "(" + floor + ")" // checkedGridPointSQL divides and multiplies it
	}
	return fmt.Sprintf("CASE WHEN typeof(%s) IN ('integer', 'real') AND %[1]s BETWEEN -1000000 AND 1000000 THEN %s END", x,
		checkedGridPointSQL(x, floor, decimals))
}

// gridPointOf returns SQL for the grid point of a dimension of the user's table. The SQL returns NULL if the
// dimension is not a number, is out of range, or has too many decimals.
func (s *sqlFile) gridPointOf(x string) string {
	if s.gridPoint != nil {
		return s.gridPoint(x, s.decimals)
	}
	return gridPointSQL(fmt.Sprintf(s.doubleFormat, x), s.decimals)
}

// gridPointsSQL returns the columns of a SELECT that computes the grid points of a row's dimensions. axesSQL
// returns the names of these columns.
func (s *sqlFile) gridPointsSQL(row string) string {
	var points []string
	for axis, name := range exact.AxisNames() {
		point := s.gridPointOf(row + name)
		if s.noPoint != "" {
			point = "COALESCE(" + point + ", " + s.noPoint + ")"
		}
		points = append(points, point+" AS "+strings.TrimPrefix(s.axesSQL(row)[axis], "g."))
	}
	return strings.Join(points, ",\n  ")
}
