// Runs uri-test-suite: java Run.java FILE.tsv ...
// Change judge to ask your parser. This one asks java.net.URI.
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

class Run {
    static boolean judge(String text) {
        try {
            return new URI(text).isAbsolute();
        } catch (URISyntaxException error) {
            return false;
        }
    }

    public static void main(String[] names) throws Exception {
        for (String name : names) {
            int wrong = 0;
            List<String> lines = Files.readAllLines(Path.of(name));
            for (String line : lines) {
                String[] fields = line.split("\t", -1);
                byte[] octets = HexFormat.of().parseHex(fields[2]);
                String text = new String(octets, StandardCharsets.UTF_8);
                if (judge(text) != fields[1].equals("1")) {
                    wrong++;
                    System.out.println(fields[0] + "\t" + text);
                }
            }
            System.out.println(name + ": " + wrong + " of " + lines.size() + " differ");
        }
    }
}
