import boxrules.Boxrules;

/** CSV rows with the columns article, material, width, depth and height, without quotes. */
final class Rows {
    private Rows() {}

    /** Returns the row with its verdict appended, as boxrules check --format csv does. */
    static String withVerdict(Boxrules rules, String row) {
        String[] cells = row.split(",", -1);
        return row + "," + rules.verdict(cells[0], cells[1], number(rules, cells[2]), number(rules, cells[3]), number(rules, cells[4]));
    }

    /** Returns the number in a cell, or null if there is none. With null, the verdict is an error. */
    private static Double number(Boxrules rules, String cell) {
        try {
            return rules.parse("cell", cell);
        } catch (Boxrules.InputException e) {
            return null;
        }
    }
}
