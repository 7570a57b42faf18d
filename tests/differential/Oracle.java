import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.TreeSet;

/** Loads each file as Kafka does and writes what it holds beside it: keys and values in hex, or "refused". */
public final class Oracle {
    public static void main(String[] args) throws IOException {
        int count = Integer.parseInt(args[1]);
        for (int i = 0; i < count; i++) {
            Path path = Path.of(args[0], Integer.toString(i));
            try (PrintStream out = new PrintStream(Files.newOutputStream(Path.of(path + ".out")))) {
                Properties properties = new Properties();
                try {
                    properties.load(new ByteArrayInputStream(Files.readAllBytes(path)));
                } catch (IllegalArgumentException malformed) {
                    out.print("refused\n");
                    continue;
                }
                for (String key : new TreeSet<>(properties.stringPropertyNames())) {
                    out.print(hex(key) + " " + hex(properties.getProperty(key)) + "\n");
                }
            }
        }
    }

    private static String hex(String text) {
        StringBuilder hex = new StringBuilder("x");
        for (byte b : text.getBytes(StandardCharsets.UTF_16BE)) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }
}
