import static io.trino.testing.TestingSession.testSessionBuilder;

import io.trino.plugin.memory.MemoryPlugin;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Reads names of files from stdin. Runs the statements of each in a Trino within this process, with the memory connector, and
 * answers with the rows of the last and a zero byte. Each statement ends in a semicolon at the end of a line. A file whose
 * first line is "-- schema NAME" runs in that schema.
 */
public class Trino {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        System.setOut(System.err); // the server logs to stdout
        try (DistributedQueryRunner runner = DistributedQueryRunner.builder(testSessionBuilder().build()).setNodeCount(1).build()) {
            runner.installPlugin(new MemoryPlugin());
            runner.createCatalog("memory", "memory", Map.of("memory.max-data-per-node", "2GB"));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String name = in.readLine(); name != null; name = in.readLine()) {
                String answer;
                try {
                    answer = answer(runner, Files.readString(Path.of(name)));
                } catch (Exception e) {
                    answer = "error: " + e;
                }
                out.print(answer + "\0");
                out.flush();
            }
        }
        System.exit(0); // threads of Trino would keep the process
    }

    private static String answer(DistributedQueryRunner runner, String text) {
        String schema = text.substring("-- schema ".length(), text.indexOf('\n'));
        MaterializedResult result = null;
        for (String statement : text.split(";\n")) {
            if (!statement.replaceAll("(?m)^--.*$", "").isBlank()) {
                result = runner.execute(testSessionBuilder().setCatalog("memory").setSchema(schema).build(), statement);
            }
        }
        StringBuilder rows = new StringBuilder();
        for (MaterializedRow row : result == null ? java.util.List.<MaterializedRow>of() : result.getMaterializedRows()) {
            for (int i = 0; i < row.getFieldCount(); i++) {
                rows.append(i == 0 ? "" : "\t").append(row.getField(i) == null ? "\\N" : row.getField(i));
            }
            rows.append('\n');
        }
        return rows.toString();
    }
}
