import static org.apache.beam.sdk.values.TypeDescriptors.strings;

import boxrules.Boxrules;
import java.nio.file.Path;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.io.TextIO;
import org.apache.beam.sdk.transforms.MapElements;

/** Adds verdicts to rows with Beam's DirectRunner. Arguments: BOXRULES.json ROWS ANSWERS. */
final class Beam {
    public static void main(String[] args) throws Exception {
        Boxrules rules = Boxrules.load(Path.of(args[0]));
        Pipeline pipeline = Pipeline.create();
        pipeline.apply(TextIO.read().from(args[1]))
                // Beam serializes the function with its rules, and sends it to the workers.
                .apply(MapElements.into(strings()).via((String row) -> Rows.withVerdict(rules, row)))
                .apply(TextIO.write().to(args[2]).withoutSharding());
        pipeline.run().waitUntilFinish();
    }
}
