package boxrules;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Loads the tables in each line, an object of JSON, and answers with the verdicts on its boxes, or with the message of the exception. */
final class Load {
    private Load() {}

    @SuppressWarnings("unchecked") // a line is an object, and so is a box
    public static void main(String[] args) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            var question = (Map<String, Object>) new Boxrules.Reader(line).read();
            try {
                Boxrules rules = Boxrules.of((String) question.get("tables"));
                List<String> verdicts = new ArrayList<>();
                for (Object box : (List<Object>) question.get("boxes")) {
                    verdicts.add(quote(verdict(rules, (Map<String, Object>) box)));
                }
                out.println("{\"verdicts\":[" + String.join(",", verdicts) + "]}");
            } catch (IllegalArgumentException e) {
                out.println("{\"error\":" + quote(e.getMessage()) + "}");
            }
        }
        out.flush();
    }

    private static String verdict(Boxrules rules, Map<String, Object> box) {
        return rules.verdict((String) box.get("article"), (String) box.get("material"), ((Number) box.get("width")).doubleValue(),
                ((Number) box.get("depth")).doubleValue(), ((Number) box.get("height")).doubleValue());
    }

    /** Writes a string of JSON, with an escape for every character. */
    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            quoted.append(String.format("\\u%04x", (int) c));
        }
        return quoted.append('"').toString();
    }
}
