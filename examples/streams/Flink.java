import boxrules.Boxrules;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Adds verdicts to rows with Flink, in a cluster within this process. Arguments: BOXRULES.json ROWS ANSWERS. */
final class Flink {
    public static void main(String[] args) throws Exception {
        Boxrules rules = Boxrules.load(Path.of(args[0]));
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
        DataStream<String> rows = flink.fromData(Files.readAllLines(Path.of(args[1])));
        // Flink serializes the function with its rules, and sends it to the workers.
        DataStream<String> answers = rows.rebalance().map(row -> Rows.withVerdict(rules, row)).setParallelism(2);
        try (var all = answers.executeAndCollect(); var out = new PrintWriter(args[2], "UTF-8")) {
            all.forEachRemaining(out::println);
        }
    }
}
