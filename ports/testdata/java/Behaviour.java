package boxrules;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;

/** Checks what only Java promises: no allocation, threads, serialization, types of numbers. The argument is the file of the tables. */
final class Behaviour {
    private final Boxrules rules;
    private final List<Box> boxes = new ArrayList<>();

    private static final class Box {
        final String article;
        final String material;
        final Double width;
        final Double depth;
        final Double height;

        Box(String article, String material, Double width, Double depth, Double height) {
            this.article = article;
            this.material = material;
            this.width = width;
            this.depth = depth;
            this.height = height;
        }
    }

    private Behaviour(Boxrules rules) {
        this.rules = rules;
        Random random = new Random(1);
        Double[] wrong = {null, Double.NaN, Double.POSITIVE_INFINITY, -1e7};
        for (int i = 0; i < 1000; i++) {
            for (String article : rules.articles()) {
                for (String material : rules.materials(article)) {
                    Double[] dims = {random.nextInt(400) * 1.0, random.nextInt(300) * 1.0, random.nextInt(400) * 1.0};
                    if (random.nextInt(20) == 0) {
                        dims[random.nextInt(3)] = wrong[random.nextInt(wrong.length)];
                    }
                    boxes.add(new Box(article, material, dims[0], dims[1], dims[2]));
                }
            }
        }
        boxes.add(new Box(null, "carton-300", 1.0, 1.0, 1.0));
        boxes.add(new Box("tuck-end", null, 1.0, 1.0, 1.0));
        boxes.add(new Box("Tuck-End", "carton-300", 1.0, 1.0, 1.0));
        boxes.add(new Box("tuck-end", "e-flute", 1.0, 1.0, 1.0));
    }

    public static void main(String[] args) throws Exception {
        Behaviour behaviour = new Behaviour(Boxrules.load(Path.of(args[0])));
        List<String> want = behaviour.verdicts(behaviour.rules);
        int different = new HashSet<>(want).size();
        expect(different > 20, "only " + different + " different verdicts: the boxes show little");
        behaviour.allocatesNothing();
        behaviour.threads(want);
        behaviour.serialization(want);
        behaviour.errors();
        behaviour.numbers();
        System.out.println("passed");
    }

    private List<String> verdicts(Boxrules rules) {
        List<String> verdicts = new ArrayList<>();
        for (Box box : boxes) {
            verdicts.add(rules.verdict(box.article, box.material, box.width, box.depth, box.height));
        }
        return verdicts;
    }

    private void allocatesNothing() {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        Box[] all = boxes.toArray(new Box[0]);
        String[] verdicts = new String[all.length];
        long before = threads.getThreadAllocatedBytes(id);
        new BigInteger(new byte[1000]);
        long between = threads.getThreadAllocatedBytes(id);
        expect(between - before >= 1000, "allocated bytes are not counted: " + (between - before) + " for 1000");
        before = threads.getThreadAllocatedBytes(id);
        for (int i = 0; i < all.length; i++) {
            Box box = all[i];
            verdicts[i] = rules.verdict(box.article, box.material, box.width, box.depth, box.height);
        }
        long allocated = threads.getThreadAllocatedBytes(id) - before;
        expect(allocated == 0, allocated + " bytes were allocated for " + all.length + " verdicts");
    }

    private void threads(List<String> want) throws InterruptedException {
        List<String> wrong = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                for (int round = 0; round < 5; round++) {
                    if (!verdicts(rules).equals(want)) {
                        synchronized (wrong) {
                            wrong.add("other verdicts in a thread");
                        }
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        expect(wrong.isEmpty(), wrong.toString());
    }

    private void serialization(List<String> want) throws Exception {
        byte[] bytes = serialized(rules);
        Boxrules again = (Boxrules) deserialized(bytes);
        expect(again != rules && verdicts(again).equals(want), "other verdicts after serialization");
        expect(again.unit().equals(rules.unit()) && again.decimals() == rules.decimals() && again.articles().equals(rules.articles()),
                "other tables after serialization");
        expect(Arrays.equals(serialized(again), bytes), "other bytes after serialization");
        Boxrules.Violation found = rules.check("tuck-end", "carton-300", 48, 141, 184);
        expect(deserialized(serialized(found)).toString().equals(found.toString()), "another violation after serialization");

        String broken = new String(bytes, StandardCharsets.ISO_8859_1).replace("\"boxrules\": 1,", "\"boxrules\": 2,");
        try {
            deserialized(broken.getBytes(StandardCharsets.ISO_8859_1));
            expect(false, "broken tables were deserialized");
        } catch (InvalidObjectException e) {
            expect(e.getMessage().equals("boxrules: no tables of boxrules, version 1; accepted: what boxrules generate json writes"), e.getMessage());
        }
    }

    private static byte[] serialized(Object value) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Object deserialized(byte[] bytes) throws Exception {
        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** Several fields are wrong: the first one is named. */
    private void errors() {
        Object[][] cases = {
            {"x", "x", null, null, null, "article: \"x\" is not one of tuck-end, "},
            {null, "x", null, null, null, "article: null is not one of tuck-end, "},
            {"tuck\n", "x", null, null, null, "article: \"tuck\\u000a\" is not one of tuck-end, "},
            {"tuck-end", "x", null, null, null, "material: \"x\" is not one of carton-300, carton-400"},
            {"tuck-end", "carton-300", null, null, null, "width: null is not a number from -1000000 to 1000000"},
            {"tuck-end", "carton-300", 1.0, Double.NaN, null, "depth: NaN is not a number from -1000000 to 1000000"},
            {"tuck-end", "carton-300", 1.0, 1.0, 1000000.1, "height: 1000000.1 is not a number from -1000000 to 1000000"},
        };
        for (Object[] c : cases) {
            String want = (String) c[5];
            String verdict = rules.verdict((String) c[0], (String) c[1], (Double) c[2], (Double) c[3], (Double) c[4]);
            expect(verdict.equals("error:" + want.substring(0, want.indexOf(':'))), verdict + ", want " + want);
            for (boolean all : new boolean[] {false, true}) {
                try {
                    if (all) {
                        rules.checkAll((String) c[0], (String) c[1], (Number) c[2], (Number) c[3], (Number) c[4]);
                    } else {
                        rules.check((String) c[0], (String) c[1], (Number) c[2], (Number) c[3], (Number) c[4]);
                    }
                    expect(false, "no exception: " + want);
                } catch (Boxrules.InputException e) {
                    expect(e.getMessage().startsWith(want), e.getMessage() + ", want " + want);
                }
            }
        }
    }

    /** Each type of numbers becomes the nearest double. */
    private void numbers() {
        Number[] same = {141, 141L, (short) 141, 141f, 141.0, new BigDecimal("141.000"), new BigInteger("141"), new BigDecimal("1.41E+2")};
        for (Number number : same) {
            expect("BOX_3100".equals(rules.check("tuck-end", "carton-300", 48, number, 184).code()), "a depth of " + number);
        }
        // 400.0005 is rounded to 400.001, which is beyond the limit of 400; the nearest double below is rounded to 400.
        expect(rules.check("tuck-end", "carton-300", new BigDecimal("400.0005"), 48, 184).code().equals("BOX_2101"), "400.0005");
        expect(rules.check("tuck-end", "carton-300", Math.nextDown(400.0005), 48, 184) == null, "a little less than 400.0005");
        expect(rules.check("tuck-end", "carton-300", 400.0005f, 48, 184) == null, "400.0005 as a float, which is 400.00049");
        for (Number number : new Number[] {new BigDecimal("1E+400"), new BigInteger("9".repeat(400)), Long.MIN_VALUE}) {
            try {
                rules.check("tuck-end", "carton-300", number, 48, 184);
                expect(false, number + " is accepted");
            } catch (Boxrules.InputException e) {
                expect(e.field().equals("width"), e.getMessage());
            }
        }
    }

    private static void expect(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }
}
