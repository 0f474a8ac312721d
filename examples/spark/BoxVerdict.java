import boxrules.Boxrules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.types.DataTypes;

/**
 * A function for Spark SQL that returns the verdict on a box. It reads its tables from the file boxrules.json in the same jar.
 * PySpark registers the function by the name of this class; main shows how to register it in Java.
 */
public final class BoxVerdict implements UDF5<String, String, Double, Double, Double, String> {
    private static final long serialVersionUID = 1;

    private final Boxrules rules; // serialized with the function, and sent to the executors

    public BoxVerdict() throws IOException {
        try (InputStream tables = BoxVerdict.class.getResourceAsStream("/boxrules.json")) {
            if (tables == null) {
                throw new IOException("the jar has no boxrules.json: generate it with boxrules generate json, and add it to the jar");
            }
            rules = Boxrules.of(new String(tables.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public String call(String article, String material, Double width, Double depth, Double height) {
        return rules.verdict(article, material, width, depth, height);
    }

    /** Counts the verdicts on the boxes of a CSV file. */
    public static void main(String[] args) throws IOException {
        SparkSession spark = SparkSession.builder().getOrCreate();
        spark.udf().register("box_verdict", new BoxVerdict(), DataTypes.StringType);
        spark.read().option("header", true).schema("article STRING, material STRING, width DOUBLE, depth DOUBLE, height DOUBLE").csv(args[0])
                .createOrReplaceTempView("boxes");
        String query = "SELECT box_verdict(article, material, width, depth, height) AS verdict, count(*) FROM boxes GROUP BY verdict ORDER BY verdict";
        for (Row row : spark.sql(query).collectAsList()) {
            System.out.println(row.getString(0) + "\t" + row.getLong(1));
        }
        spark.stop();
    }
}
