package boxrules;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Measures how many boxes the port checks in a second of processor time. The arguments are the file of the tables, and a
 * CSV file of boxes, each with its verdict in the last column.
 */
final class Speed {
    private static final int ROUNDS = 7;

    private Speed() {}

    public static void main(String[] args) throws Exception {
        Boxrules rules = Boxrules.load(Path.of(args[0]));
        List<String> lines = Files.readAllLines(Path.of(args[1]));
        int rows = lines.size() - 1; // the first line is the header
        String[] articles = new String[rows];
        String[] materials = new String[rows];
        Double[][] dims = new Double[3][rows];
        int differences = 0;
        for (int i = 0; i < rows; i++) {
            String[] cells = lines.get(i + 1).split(",");
            articles[i] = cells[0].intern();
            materials[i] = cells[1].intern();
            for (int axis = 0; axis < dims.length; axis++) {
                dims[axis][i] = Double.valueOf(cells[2 + axis]);
            }
            if (!rules.verdict(articles[i], materials[i], dims[0][i], dims[1][i], dims[2][i]).equals(cells[5])) {
                differences++;
            }
        }
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        double[] rates = new double[ROUNDS];
        long length = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = thread.getCurrentThreadCpuTime();
            for (int i = 0; i < rows; i++) {
                length += rules.verdict(articles[i], materials[i], dims[0][i], dims[1][i], dims[2][i]).length();
            }
            rates[round] = rows / ((thread.getCurrentThreadCpuTime() - start) / 1e9);
        }
        Arrays.sort(rates);
        System.err.println(length); // so that no call can be dropped
        System.out.printf(
            "%d rows, %d differences, %.0f rows per second of processor time, median of %d (%.0f to %.0f)%n",
            rows, differences, rates[ROUNDS / 2], ROUNDS, rates[0], rates[ROUNDS - 1]);
    }
}
