// The adapter of Java: new java.net.URI; with the argument "absolute" a text without a scheme is
// not accepted.

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URISyntaxException;

class Judge {
    public static void main(String[] arguments) throws Exception {
        boolean absolute = arguments.length > 0 && arguments[0].equals("absolute");
        System.out.println("{\"version\": " + quoted(System.getProperty("java.version")) + "}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(judge(text(line), absolute));
            System.out.flush();
        }
    }

    static String judge(String text, boolean absolute) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException error) {
            return "false";
        }
        if (absolute && !uri.isAbsolute()) {
            return "false";
        }
        return "{\"text\": " + quoted(uri.toString())
            + ", \"scheme\": " + quoted(uri.getScheme())
            + (uri.isOpaque() ? "" : ", \"authority\": " + quoted(uri.getRawAuthority())
                + ", \"path\": " + quoted(uri.getRawPath())
                + ", \"query\": " + quoted(uri.getRawQuery()))
            + ", \"fragment\": " + quoted(uri.getRawFragment()) + "}";
    }

    // A line is a string of JSON in ASCII.
    static String text(String line) {
        StringBuilder out = new StringBuilder();
        for (int at = 1; at < line.length() - 1; at++) {
            char each = line.charAt(at);
            if (each == '\\') {
                each = line.charAt(++at);
                int known = "bfnrt".indexOf(each);
                if (known >= 0) {
                    each = "\b\f\n\r\t".charAt(known);
                } else if (each == 'u') {
                    each = (char) Integer.parseInt(line.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            out.append(each);
        }
        return out.toString();
    }

    static String quoted(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder out = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            boolean plain = each >= ' ' && each <= '~' && each != '"' && each != '\\';
            out.append(plain ? String.valueOf(each) : String.format("\\u%04x", (int) each));
        }
        return out.append('"').toString();
    }
}
