package boxrules;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers questions of the test, a line of JSON each, by the port: boxes, and texts with the field that they are for. */
final class Driver {
    private final Boxrules rules;

    private Driver(Boxrules rules) {
        this.rules = rules;
    }

    public static void main(String[] args) throws Exception {
        Driver driver = new Driver(Boxrules.load(Path.of(args[0])));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(driver.answer(line));
        }
        out.flush();
    }

    @SuppressWarnings("unchecked") // a question is an object
    private String answer(String line) {
        var question = (Map<String, Object>) new Boxrules.Reader(line).read();
        try {
            if (question.containsKey("text")) {
                String field = (String) question.get("field");
                String text = (String) question.get("text");
                String decimal = (String) question.get("decimal");
                return "{\"number\":" + (decimal == null ? rules.parse(field, text) : rules.parse(field, text, decimal)) + "}";
            }
            return aboutBox(question);
        } catch (Boxrules.InputException e) {
            return "{\"error\":{\"field\":\"" + e.field() + "\"}}";
        } catch (IllegalArgumentException e) {
            return "{\"error\":{\"field\":\"decimal\"}}";
        }
    }

    /** Returns the answers of check and checkAll, which must agree with verdict. */
    private String aboutBox(Map<String, Object> box) {
        String article = (String) box.get("article");
        String material = (String) box.get("material");
        Number width = number(box.get("width"));
        Number depth = number(box.get("depth"));
        Number height = number(box.get("height"));
        String verdict = rules.verdict(article, material, width.doubleValue(), depth.doubleValue(), height.doubleValue());
        Boxrules.Violation first;
        try {
            first = rules.check(article, material, width, depth, height);
        } catch (Boxrules.InputException e) {
            expect(verdict, "error:" + e.field());
            throw e;
        }
        expect(verdict, first == null ? "valid" : first.code());
        List<String> codes = new ArrayList<>();
        for (Boxrules.Violation violation : rules.checkAll(article, material, width, depth, height)) {
            codes.add("\"" + violation.code() + "\"");
        }
        return "{\"code\":\"" + (first == null ? "" : first.code()) + "\",\"codes\":[" + String.join(",", codes) + "]}";
    }

    private static void expect(String verdict, String want) {
        if (!verdict.equals(want)) {
            throw new AssertionError("verdict says " + verdict + ", check says " + want);
        }
    }

    /** Returns a dimension. NaN and Infinity are texts. */
    private static Number number(Object value) {
        return value instanceof String ? (Number) Double.valueOf((String) value) : (Number) value;
    }
}
