package boxrules;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Checks boxes as boxrules does, with the tables that {@code boxrules generate json} writes.
 *
 * <pre>{@code
 * Boxrules rules = Boxrules.load(Path.of("boxrules.json"));
 * rules.verdict("tuck-end", "carton-300", 48.0, 141.0, 184.0); // "BOX_3100"
 *
 * Boxrules.Violation found = rules.check("tuck-end", "carton-300", 48, 141, 184);
 * if (found != null) {
 *     System.out.println(found.code() + " " + found.message());
 * }
 * }</pre>
 *
 * <p>{@link #verdict} is for tables of boxes, for example in Spark: it gives every row an answer, and throws no exception.
 * {@link #check}, {@link #checkAll} and {@link #parse} are for single boxes, and throw an {@link InputException} that says what
 * is wrong.
 *
 * <p>Dimensions are numbers in the unit of the tables. They are rounded to thousandths. After that, all calculations use integers, so
 * verdicts are exact. The class needs Java 11 or later and nothing else. Objects are immutable, so threads may share them. They
 * are serializable: the serialized form is the text of the tables.
 */
public final class Boxrules implements Serializable {
    private static final long serialVersionUID = 1;

    private static final int MAX_DIMENSION = 1_000_000; // in units
    private static final long MAX_SUM = 1L << 53; // no sum of the tables is greater
    private static final int MAX_TEXT = 64; // the maximum number of characters in a typed dimension

    private static final Pattern RULE_CODE = Pattern.compile("[A-Z]{1,32}_[0-9]{4}");
    private static final Pattern WITH_POINT = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
    private static final Pattern WITH_COMMA = Pattern.compile("-?(?![1-9][0-9]{0,2}\\.[0-9]{3}$)[0-9]+([.,][0-9]+)?");

    /** The text of the tables, the only field that is serialized. */
    private final String json;

    /** The unit of all dimensions. */
    private final String unit;

    /** How many decimals a dimension may have. */
    private final int decimals;

    /** The step at which a check begins, by article and material. */
    private final Map<String, Map<String, Step>> articles;

    /** A rule that a box violates. */
    public static final class Violation implements Serializable {
        private static final long serialVersionUID = 1;

        /** The code of the rule. */
        private final String code;

        /** The stage of the rule: boundary, constraint or size. */
        private final String stage;

        /** The message of the rule. */
        private final String message;

        private Violation(String code, String stage, String message) {
            this.code = code;
            this.stage = stage;
            this.message = message;
        }

        /**
         * Returns the code of the rule.
         *
         * @return a code such as BOX_3100
         */
        public String code() {
            return code;
        }

        /**
         * Returns the stage of the rule.
         *
         * @return boundary, constraint or size
         */
        public String stage() {
            return stage;
        }

        /**
         * Returns the message of the rule, in English.
         *
         * @return a sentence
         */
        public String message() {
            return message;
        }

        @Override
        public String toString() {
            return code + ": " + message;
        }
    }

    /** Thrown if a field of a box is invalid. */
    public static final class InputException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        /** The field that is wrong. */
        private final String field;

        private InputException(String field, String message) {
            super(field + ": " + message);
            this.field = field;
        }

        /**
         * Returns the field that is wrong.
         *
         * @return article, material, width, depth or height
         */
        public String field() {
            return field;
        }
    }

    private Boxrules(String json) {
        this.json = json;
        Node tables = new Node("", new Reader(json).read());
        if (!(tables.value instanceof Map) || !Objects.equals(tables.map().get("boxrules"), 1L)) {
            throw new IllegalArgumentException("no tables of boxrules, version 1; accepted: what boxrules generate json writes");
        }
        unit = tables.get("unit").text();
        decimals = (int) tables.get("decimals").whole(0, 3);
        articles = new Compiler(tables).articles();
    }

    /**
     * Reads tables that {@code boxrules generate json} has written.
     *
     * @param json the text of the tables
     * @return the rules and limits of the tables
     * @throws IllegalArgumentException if the text is not JSON, or is not the tables of boxrules; the message says where
     */
    public static Boxrules of(String json) {
        return new Boxrules(json);
    }

    /**
     * Reads a file that {@code boxrules generate json} has written.
     *
     * @param path the file
     * @return the rules and limits of the file
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if the file does not contain the tables of boxrules; the message says where
     */
    public static Boxrules load(Path path) throws IOException {
        try {
            return new Boxrules(Files.readString(path));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(path + ": the file is not UTF-8", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the unit of all dimensions.
     *
     * @return a unit such as mm
     */
    public String unit() {
        return unit;
    }

    /**
     * Returns the number of decimals that a dimension may have. If it is 3, further decimals are rounded. If it is less, they are an
     * error.
     *
     * @return a number from 0 to 3
     */
    public int decimals() {
        return decimals;
    }

    /**
     * Returns the codes of the articles, in the order of the tables.
     *
     * @return a list that does not change
     */
    public List<String> articles() {
        return List.copyOf(articles.keySet());
    }

    /**
     * Returns the codes of the materials of an article, in the order of the tables.
     *
     * @param article the code of the article
     * @return a list that does not change
     * @throws InputException if there is no such article
     */
    public List<String> materials(String article) {
        return List.copyOf(find("article", article, articles).keySet());
    }

    /**
     * Returns the verdict on a box in the same form as the view of {@code boxrules generate sql}. It is {@code valid}, or the code of
     * the first rule that the box violates, in check order. If an argument is not valid, it is {@code error:} and the name of the
     * argument, as in {@code error:width}. If several are not valid, it names the first one in the order article, material, width,
     * depth, height.
     *
     * <p>The method never throws an exception and does not allocate memory. Equal verdicts are the same string object.
     *
     * @param article the code of the article; {@code error:article} if it is null or unknown
     * @param material the code of the material; {@code error:material} if it is null or the article is not offered in it
     * @param width the width; {@code error:width} if it is null, not a number, greater in magnitude than a million, or has more
     *     decimals than the tables allow
     * @param depth the depth, with {@code error:depth} in the same cases
     * @param height the height, with {@code error:height} in the same cases
     * @return {@code valid}, a code, or {@code error:FIELD}
     */
    public String verdict(String article, String material, Double width, Double depth, Double height) {
        Map<String, Step> materials = articles.get(article);
        if (materials == null) {
            return "error:article";
        }
        Step first = materials.get(material);
        if (first == null) {
            return "error:material";
        }
        if (width == null || !isDimension(width)) {
            return "error:width";
        }
        if (depth == null || !isDimension(depth)) {
            return "error:depth";
        }
        if (height == null || !isDimension(height)) {
            return "error:height";
        }
        return first.end(thousandths(width), thousandths(depth), thousandths(height)).verdict;
    }

    /**
     * Returns the first rule that a box violates, in check order. The dimensions may have any numeric type, such as
     * Integer, Double or BigDecimal. They are converted to the nearest double.
     *
     * @param article the code of the article
     * @param material the code of the material
     * @param width the width in the unit of the tables
     * @param depth the depth
     * @param height the height
     * @return the violated rule, or null for a valid box
     * @throws InputException if a code is null or unknown, or a dimension is null, not a number, greater in magnitude than a million,
     *     or has more decimals than the tables allow
     */
    public Violation check(String article, String material, Number width, Number depth, Number height) {
        Step first = find("material", material, find("article", article, articles));
        return first.end(grid("width", width), grid("depth", depth), grid("height", height)).violation;
    }

    /**
     * Returns every rule that a box violates, in check order. See {@link #check}.
     *
     * @param article the code of the article
     * @param material the code of the material
     * @param width the width in the unit of the tables
     * @param depth the depth
     * @param height the height
     * @return the violated rules; the list is empty for a valid box
     * @throws InputException if a code or a dimension is not valid
     */
    public List<Violation> checkAll(String article, String material, Number width, Number depth, Number height) {
        Step first = find("material", material, find("article", article, articles));
        long w = grid("width", width);
        long d = grid("depth", depth);
        long h = grid("height", height);
        List<Violation> all = new ArrayList<>();
        for (Step end = first.end(w, d, h); end.violation != null; end = end.next.end(w, d, h)) {
            all.add(end.violation);
        }
        return all;
    }

    /**
     * Parses a dimension that somebody has typed: a plain decimal such as 48.5.
     *
     * @param field the name of the dimension, for the exception
     * @param text what was typed
     * @return the number, in the unit of the tables
     * @throws InputException if the text is not a dimension
     */
    public double parse(String field, String text) {
        return parse(field, text, ".");
    }

    /**
     * Parses a dimension that somebody has typed. With the decimal ",", it accepts 48,5 and even 48.5, but not 1.234, which may
     * mean 1234.
     *
     * @param field the name of the dimension, for the exception
     * @param text what was typed
     * @param decimal the decimal separator: "." or ","
     * @return the number, in the unit of the tables
     * @throws InputException if the text is not a dimension
     * @throws IllegalArgumentException if the decimal separator is neither "." nor ",", which is a mistake in the calling program
     */
    public double parse(String field, String text, String decimal) {
        if (!".".equals(decimal) && !",".equals(decimal)) {
            throw new IllegalArgumentException(quote(decimal) + " is not a decimal separator; accepted: \".\" and \",\"");
        }
        Pattern plain = decimal.equals(".") ? WITH_POINT : WITH_COMMA;
        if (text == null || text.length() > MAX_TEXT || !plain.matcher(text).matches()) {
            throw new InputException(field, quote(text) + " is not a number; accepted: one such as 48" + decimal + "5");
        }
        double number = Double.parseDouble(text.replace(',', '.'));
        grid(field, number);
        return number;
    }

    /** Returns the entry for a code, or throws an exception that lists all codes. */
    private static <T> T find(String field, String code, Map<String, T> entries) {
        T entry = entries.get(code);
        if (entry == null) {
            throw new InputException(field, quote(code) + " is not one of " + String.join(", ", entries.keySet()));
        }
        return entry;
    }

    /** Returns a dimension in thousandths. If the number is not a dimension, throws an exception that says why. */
    private long grid(String field, Number number) {
        double x = number == null ? Double.NaN : number.doubleValue();
        if (!isDimension(x)) {
            boolean inRange = x >= -MAX_DIMENSION && x <= MAX_DIMENSION;
            throw new InputException(field, number + (inRange ? " is not a multiple of " + new String[] {"1", "0.1", "0.01"}[decimals]
                    : " is not a number from -" + MAX_DIMENSION + " to " + MAX_DIMENSION));
        }
        return thousandths(x);
    }

    /** Reports whether x is in range and does not have too many decimals. If three are allowed, any further ones are rounded. */
    private boolean isDimension(double x) {
        if (!(x >= -MAX_DIMENSION && x <= MAX_DIMENSION)) { // also true for NaN
            return false;
        }
        if (decimals == 3) {
            return true;
        }
        double scale = decimals == 0 ? 1 : decimals == 1 ? 10 : 100;
        return Math.floor(x * scale + 0.5) / scale == x;
    }

    private static long thousandths(double x) {
        return (long) Math.floor(x * 1000 + 0.5);
    }

    /** Quotes a text for a one-line message. */
    private static String quote(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length() && i < 80; i++) {
            char c = text.charAt(i);
            if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(text.length() > 80 ? "…\"" : "\"").toString();
    }

    /**
     * Returns the object that is serialized in place of this one.
     *
     * @return the text of the tables
     */
    private Object writeReplace() {
        return new Serialized(json);
    }

    /**
     * Refuses a stream with the fields of this class. Serialization never writes such a stream: see writeReplace.
     *
     * @param in the stream
     * @throws InvalidObjectException always
     */
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw new InvalidObjectException("boxrules: the stream has fields instead of the text of the tables");
    }

    /** The serialized form of Boxrules. Reading it compiles the tables again, which also checks them. */
    private static final class Serialized implements Serializable {
        private static final long serialVersionUID = 1;

        private final String json;

        Serialized(String json) {
            this.json = json;
        }

        private Object readResolve() throws InvalidObjectException {
            try {
                return new Boxrules(json);
            } catch (RuntimeException e) {
                throw new InvalidObjectException("boxrules: " + e.getMessage());
            }
        }
    }

    /**
     * A step of a check. A step is either a question or an end. A question asks whether the box is in the half-space
     * a·width + b·depth + c·height &gt; k, and has a next step for each answer. An end has a verdict.
     *
     * <p>All conditions of an article in a material become one graph of steps. For example, let the first condition be "1 and 2". If
     * the answer to question 1 is yes, the next step is question 2. If it is no, the next step is the first question of the second
     * condition. If the answer to question 2 is yes, the next step is the end with the code of the first condition.
     */
    private static final class Step {
        final long a;
        final long b;
        final long c;
        final long k;
        final Step inside;
        final Step outside;

        final String verdict; // null for a question
        final Violation violation; // null for a question, and for the end with the verdict valid
        final Step next; // for the end of a violated rule, the first step of the next rule

        /** Makes a question. */
        Step(long a, long b, long c, long k, Step inside, Step outside) {
            this.a = a;
            this.b = b;
            this.c = c;
            this.k = k;
            this.inside = inside;
            this.outside = outside;
            verdict = null;
            violation = null;
            next = null;
        }

        /** Makes an end. */
        Step(String verdict, Violation violation, Step next) {
            a = b = c = k = 0;
            inside = outside = null;
            this.verdict = verdict;
            this.violation = violation;
            this.next = next;
        }

        /** Answers the questions from this step on, and returns the end that they lead to. */
        Step end(long width, long depth, long height) {
            Step at = this;
            while (at.verdict == null) {
                at = at.a * width + at.b * depth + at.c * height > at.k ? at.inside : at.outside;
            }
            return at;
        }
    }

    /** Makes the steps of all articles and materials from the tables, and checks the tables. */
    private static final class Compiler {
        private final Node tables;
        private final List<Violation> rules = new ArrayList<>();
        private final List<long[]> planes = new ArrayList<>(); // a, b, c
        private final List<long[]> halves = new ArrayList<>(); // a, b, c, k; the first six are the limits of the current article
        private final List<Node> conditions;

        Compiler(Node tables) {
            this.tables = tables;
            for (Node rule : tables.get("rules").list(1, Integer.MAX_VALUE)) {
                String code = rule.get("code").text();
                if (!RULE_CODE.matcher(code).matches()) {
                    throw rule.get("code").problem("is not the code of a rule, such as BOX_3100");
                }
                rules.add(new Violation(code.intern(), rule.get("stage").oneOf("boundary", "constraint", "size"), rule.get("message").text()));
            }
            for (Node plane : tables.get("planes").list(0, Integer.MAX_VALUE)) {
                List<Node> parts = plane.list(4, 4);
                long max = MAX_SUM / (MAX_DIMENSION * 1000L);
                long[] factors = new long[3];
                long sum = 0;
                for (int axis = 0; axis < 3; axis++) {
                    factors[axis] = parts.get(axis).whole(-max, max);
                    sum += Math.abs(factors[axis]);
                }
                if (sum > max) {
                    throw plane.problem("has factors that are too large: sums would pass 2^53");
                }
                planes.add(factors);
            }
            for (int i = 0; i < 6; i++) {
                halves.add(null);
            }
            for (Node half : tables.get("halves").list(0, Integer.MAX_VALUE)) {
                List<Node> parts = half.list(2, 3);
                long[] plane = planes.get((int) parts.get(0).whole(0, planes.size() - 1));
                halves.add(new long[] {plane[0], plane[1], plane[2], parts.get(1).whole(-MAX_SUM, MAX_SUM)});
                if (parts.size() == 3) { // this number is only for checks in floating point
                    parts.get(2).whole(0, Long.MAX_VALUE);
                }
            }
            conditions = tables.get("conditions").list(0, Integer.MAX_VALUE);
        }

        Map<String, Map<String, Step>> articles() {
            Map<String, Map<String, Step>> articles = new LinkedHashMap<>();
            for (Map.Entry<String, Node> entry : tables.get("articles").entries().entrySet()) {
                Node article = entry.getValue();
                List<Node> limits = article.get("limits").list(3, 3);
                for (int axis = 0; axis < 3; axis++) {
                    List<Node> limit = limits.get(axis).list(2, 2);
                    long low = limit.get(0).whole(-MAX_SUM, MAX_SUM);
                    long high = limit.get(1).whole(low, MAX_SUM);
                    long[] below = new long[4];
                    long[] above = new long[4];
                    below[axis] = -1;
                    below[3] = -low;
                    above[axis] = 1;
                    above[3] = high;
                    halves.set(2 * axis, below);
                    halves.set(2 * axis + 1, above);
                }
                Map<String, Step> materials = new LinkedHashMap<>();
                for (Map.Entry<String, Node> material : article.get("materials").entries().entrySet()) {
                    materials.put(material.getKey(), first(material.getValue().list(0, Integer.MAX_VALUE)));
                }
                articles.put(entry.getKey(), materials);
            }
            return articles;
        }

        /** Returns the first step of the conditions. The steps are made from the last condition to the first. */
        private Step first(List<Node> numbers) {
            Step first = new Step("valid", null, null);
            int next = rules.size(); // the number of the rule that is checked after this one
            for (int i = numbers.size() - 1; i >= 0; i--) {
                Node condition = conditions.get((int) numbers.get(i).whole(0, conditions.size() - 1));
                List<Node> parts = condition.list(2, 2);
                int number = (int) parts.get(0).whole(0, rules.size() - 1);
                Violation rule = rules.get(number);
                if (number >= next) {
                    throw numbers.get(i).problem("is a condition of " + rule.code + ", which is not checked before " + rules.get(next).code);
                }
                next = number;
                first = question(parts.get(1), false, new Step(rule.code, rule, first), first);
            }
            return first;
        }

        /**
         * Returns the first of the steps that ask whether a condition holds. They lead to one step if it holds, and to another one if
         * it does not. A list means "or", a list inside that "and", and so on alternately. isAnd says which one this list means.
         */
        private Step question(Node tree, boolean isAnd, Step holds, Step fails) {
            if (!(tree.value instanceof List)) {
                long[] half = halves.get((int) tree.whole(0, halves.size() - 1));
                return new Step(half[0], half[1], half[2], half[3], holds, fails);
            }
            List<Node> parts = tree.list(1, Integer.MAX_VALUE);
            Step next = isAnd ? holds : fails;
            for (int i = parts.size() - 1; i >= 0; i--) {
                next = isAnd ? question(parts.get(i), false, next, fails) : question(parts.get(i), true, holds, next);
            }
            return next;
        }
    }

    /** A value in the tables, with its place for messages. */
    private static final class Node {
        final String path;
        final Object value;

        Node(String path, Object value) {
            this.path = path;
            this.value = value;
        }

        IllegalArgumentException problem(String message) {
            String text = value instanceof String ? quote((String) value) + " " : value instanceof Number ? value + " " : "";
            return new IllegalArgumentException((path.isEmpty() ? "the tables" : path) + ": " + text + message);
        }

        /** Returns the values of an object whose keys are codes, by key. */
        Map<String, Node> entries() {
            Map<String, Node> entries = new LinkedHashMap<>();
            map().forEach((code, entry) -> entries.put(code, new Node(path + "[" + quote(code) + "]", entry)));
            return entries;
        }

        Node get(String key) {
            Object found = map().get(key);
            if (found == null) {
                throw problem("has no " + quote(key));
            }
            return new Node(path.isEmpty() ? key : path + "." + key, found);
        }

        @SuppressWarnings("unchecked") // Reader creates no other kind of map
        Map<String, Object> map() {
            if (!(value instanceof Map)) {
                throw problem("is not an object");
            }
            return (Map<String, Object>) value;
        }

        List<Node> list(int min, int max) {
            if (!(value instanceof List)) {
                throw problem("is not a list");
            }
            List<?> values = (List<?>) value;
            if (values.size() < min || values.size() > max) {
                throw problem("has " + values.size() + " values; accepted: " + (min == max ? "" : "at least ") + min);
            }
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                nodes.add(new Node(path + "[" + i + "]", values.get(i)));
            }
            return nodes;
        }

        long whole(long min, long max) {
            if (!(value instanceof Long) || (Long) value < min || (Long) value > max) {
                throw problem("is not a whole number from " + min + " to " + max);
            }
            return (Long) value;
        }

        String text() {
            if (!(value instanceof String)) {
                throw problem("is not a text");
            }
            return (String) value;
        }

        String oneOf(String... accepted) {
            for (String text : accepted) {
                if (text.equals(value)) {
                    return text;
                }
            }
            throw problem("is not one of " + String.join(", ", accepted));
        }
    }

    /**
     * Reads JSON strictly, as RFC 8259 defines it, and refuses repeated keys. An object becomes a Map in the order of the text, and
     * an array a List. A whole number without an exponent becomes a Long if it fits, and any other number a Double.
     */
    static final class Reader {
        private static final int MAX_DEPTH = 500;
        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

        private final String text;
        private int at;
        private int depth;

        Reader(String text) {
            this.text = text;
        }

        Object read() {
            Object value = value();
            if (at < text.length()) {
                throw problem("the text goes on after its end");
            }
            return value;
        }

        private Object value() {
            skipBlanks();
            Object value;
            switch (peek()) {
                case '{':
                    value = object();
                    break;
                case '[':
                    value = list();
                    break;
                case '"':
                    value = string();
                    break;
                case 't':
                    value = word("true", Boolean.TRUE);
                    break;
                case 'f':
                    value = word("false", Boolean.FALSE);
                    break;
                case 'n':
                    value = word("null", null);
                    break;
                default:
                    value = number();
            }
            skipBlanks();
            return value;
        }

        private Map<String, Object> object() {
            Map<String, Object> object = new LinkedHashMap<>();
            enter();
            if (peek() != '}') {
                do {
                    skipBlanks();
                    int start = at;
                    String key = string();
                    if (object.containsKey(key)) {
                        at = start;
                        throw problem("the key " + quote(key) + " is repeated");
                    }
                    skipBlanks();
                    expect(':');
                    object.put(key, value());
                } while (accept(','));
            }
            expect('}');
            depth--;
            return object;
        }

        private List<Object> list() {
            List<Object> list = new ArrayList<>();
            enter();
            if (peek() != ']') {
                do {
                    list.add(value());
                } while (accept(','));
            }
            expect(']');
            depth--;
            return list;
        }

        /** Reads the opening bracket of a list or an object. */
        private void enter() {
            depth++;
            if (depth > MAX_DEPTH) {
                throw problem("lists and objects are nested deeper than " + MAX_DEPTH);
            }
            at++;
            skipBlanks();
        }

        private String string() {
            expect('"');
            StringBuilder string = new StringBuilder();
            while (!accept('"')) {
                char c = peek();
                if (c < ' ') {
                    throw problem(at < text.length() ? "a control character in a string" : "the text ends within a string");
                }
                at++;
                string.append(c == '\\' ? escaped() : c);
            }
            for (int i = 0; i < string.length(); i++) {
                int c = string.codePointAt(i);
                if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                    throw problem("a string with half a surrogate pair");
                }
                i += Character.charCount(c) - 1;
            }
            return string.toString();
        }

        /** Reads the rest of an escape sequence, after the backslash. */
        private char escaped() {
            char c = peek();
            int simple = "\"\\/bfnrt".indexOf(c);
            if (simple >= 0) {
                at++;
                return "\"\\/\b\f\n\r\t".charAt(simple);
            }
            int code = 0;
            if (c == 'u' && at + 5 <= text.length()) {
                for (int i = at + 1; i < at + 5; i++) {
                    int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
                    code = digit < 0 || code < 0 ? -1 : code * 16 + digit;
                }
                if (code >= 0) {
                    at += 5;
                    return (char) code;
                }
            }
            throw problem("an unknown escape in a string");
        }

        private Object number() {
            var matcher = NUMBER.matcher(text).region(at, text.length());
            if (!matcher.lookingAt()) {
                throw problem("a value was expected");
            }
            at = matcher.end();
            if (matcher.group(2) == null && matcher.group(3) == null) {
                try {
                    return Long.parseLong(matcher.group());
                } catch (NumberFormatException e) { // it does not fit in a long
                }
            }
            return Double.parseDouble(matcher.group());
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) {
                throw problem("a value was expected");
            }
            at += word.length();
            return value;
        }

        private void skipBlanks() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        /** Returns the next character, or a zero character at the end. */
        private char peek() {
            return at < text.length() ? text.charAt(at) : 0;
        }

        private boolean accept(char c) {
            if (at < text.length() && text.charAt(at) == c) {
                at++;
                return true;
            }
            return false;
        }

        private void expect(char c) {
            if (!accept(c)) {
                throw problem("'" + c + "' was expected");
            }
        }

        private IllegalArgumentException problem(String message) {
            int line = 1;
            int start = 0;
            for (int i = 0; i < at && i < text.length(); i++) {
                if (text.charAt(i) == '\n') {
                    line++;
                    start = i + 1;
                }
            }
            return new IllegalArgumentException("line " + line + ", column " + (at - start + 1) + ": " + message);
        }
    }
}
