import boxrules.Boxrules;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.KStream;

/** Adds verdicts to records with Kafka's test driver, which needs no broker. Arguments: BOXRULES.json ROWS ANSWERS. */
final class KafkaStreams {
    public static void main(String[] args) throws Exception {
        Boxrules rules = Boxrules.load(Path.of(args[0]));
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> rows = builder.stream("boxes");
        rows.mapValues(row -> Rows.withVerdict(rules, row)).to("verdicts");
        Properties settings = new Properties();
        settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        try (var driver = new TopologyTestDriver(builder.build(), settings); var out = new PrintWriter(args[2], "UTF-8")) {
            var in = driver.createInputTopic("boxes", new StringSerializer(), new StringSerializer());
            var verdicts = driver.createOutputTopic("verdicts", new StringDeserializer(), new StringDeserializer());
            for (String row : Files.readAllLines(Path.of(args[1]))) {
                in.pipeInput(row);
                out.println(verdicts.readValue());
            }
        }
    }
}
