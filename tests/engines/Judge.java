import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Answers each line with a verdict: "=" and an expression is held to; else the line is a text. */
class Judge {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        var answers = new StringBuilder();
        Pattern expression = null;
        for (String line; (line = lines.readLine()) != null; ) {
            boolean isExpression = line.startsWith("=");
            byte[] octets = Base64.getDecoder().decode(isExpression ? line.substring(1) : line);
            var units = new char[octets.length / 2]; // a decoder would mend lone surrogates
            for (int at = 0; at < units.length; at++) {
                units[at] = (char) ((octets[2 * at] & 0xFF) | (octets[2 * at + 1] & 0xFF) << 8);
            }
            var text = new String(units);
            if (isExpression) {
                expression = Pattern.compile(text);
                continue;
            }
            try {
                answers.append(expression.matcher(text).find() ? "1\n" : "0\n");
            } catch (StackOverflowError error) {
                answers.append("stack\n");
            }
        }
        System.out.print(answers);
    }
}
