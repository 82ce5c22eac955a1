// Peers in Java: java.net.URI and java.net.URL. Arguments: "URI" or "URL", and the task. With
// "absolute", a text without a scheme is rejected; with "destination", the authority must be a
// server's, as java.net.http requires; with an operation, such as "resolution", the text is those of
// a case, with a space between them.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;

class Peer {
    public static void main(String[] arguments) throws Exception {
        System.out.println("{\"version\": " + quoted(System.getProperty("java.version")) + "}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(answer(arguments[0], arguments[1], text(line)));
            System.out.flush();
        }
    }

    static String answer(String parser, String task, String text) {
        try {
            if (parser.equals("URL")) {
                return url(text);
            }
            if (text.indexOf(' ') >= 0 || task.equals("normalization")) {
                return result(task, text.split(" ", -1));
            }
            URI uri = new URI(text);
            if (task.equals("destination")) {
                return destination(uri);
            }
            return task.equals("absolute") && !uri.isAbsolute() ? "false" : components(uri);
        } catch (Exception error) {
            return "{\"refuses\": " + quoted(error.getClass().getSimpleName()) + "}";
        }
    }

    static String components(URI uri) {
        return "{\"text\": " + quoted(uri.toString())
            + ", \"scheme\": " + quoted(uri.getScheme())
            + (uri.isOpaque() ? "" : ", \"authority\": " + quoted(uri.getRawAuthority())
                + ", \"path\": " + quoted(uri.getRawPath())
                + ", \"query\": " + quoted(uri.getRawQuery()))
            + ", \"fragment\": " + quoted(uri.getRawFragment()) + "}";
    }

    static String result(String task, String[] texts) throws Exception {
        URI first = new URI(texts[0]);
        if (task.equals("normalization")) {
            return "{\"text\": " + quoted(first.normalize().toString()) + "}";
        }
        URI other = new URI(texts[1]);
        if (task.equals("equivalence")) {
            return String.valueOf(first.equals(other));
        }
        URI found = task.equals("resolution") ? first.resolve(other) : first.relativize(other);
        return "{\"text\": " + quoted(found.toString()) + "}";
    }

    static String destination(URI uri) throws Exception {
        if (uri.getRawAuthority() != null) {
            uri = uri.parseServerAuthority();
        }
        if (uri.isOpaque()) {
            return went(uri.getScheme(), null, -1, uri.getRawSchemeSpecificPart(), null);
        }
        return went(uri.getScheme(), uri.getHost(), uri.getPort(), uri.getRawPath(), uri.getRawQuery());
    }

    static String url(String text) throws Exception {
        URL url = new URL(text);
        int port = url.getPort() == -1 ? url.getDefaultPort() : url.getPort();
        return went(url.getProtocol(), url.getHost(), port, url.getPath(), url.getQuery());
    }

    static String went(String scheme, String host, int port, String path, String query) {
        boolean none = port == -1 || host == null || host.isEmpty();
        return "{\"scheme\": " + quoted(scheme) + ", \"host\": " + quoted(host)
            + ", \"port\": " + (none ? "null" : String.valueOf(port))
            + ", \"path\": " + quoted(path) + ", \"query\": " + quoted(query) + "}";
    }

    // A request is a JSON string in ASCII, or an array of octets where those are not UTF-8.
    static String text(String line) {
        if (line.startsWith("[")) {
            ByteArrayOutputStream octets = new ByteArrayOutputStream();
            for (String number : line.substring(1, line.length() - 1).split(",")) {
                octets.write(Integer.parseInt(number.trim()));
            }
            return new String(octets.toByteArray(), StandardCharsets.UTF_8);
        }
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
