// Readers of Java: java.net.URI (with a server's authority, as java.net.http wants) and java.net.URL.

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;

class Read {
    public static void main(String[] arguments) throws Exception {
        System.out.println("{\"version\": " + quoted(System.getProperty("java.version")) + "}");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "US-ASCII"));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(outcome(arguments[0], text(line)));
            System.out.flush();
        }
    }

    static String outcome(String reader, String text) {
        try {
            return reader.equals("URI") ? uri(text) : url(text);
        } catch (Exception error) {
            return "{\"refuses\": " + quoted(error.getClass().getSimpleName()) + "}";
        }
    }

    static String uri(String text) throws Exception {
        URI uri = new URI(text);
        if (uri.getRawAuthority() != null) {
            uri = uri.parseServerAuthority();
        }
        if (uri.isOpaque()) {
            return answer(uri.getScheme(), null, -1, uri.getRawSchemeSpecificPart(), null);
        }
        return answer(uri.getScheme(), uri.getHost(), uri.getPort(), uri.getRawPath(), uri.getRawQuery());
    }

    static String url(String text) throws Exception {
        URL url = new URL(text);
        int port = url.getPort() == -1 ? url.getDefaultPort() : url.getPort();
        return answer(url.getProtocol(), url.getHost(), port, url.getPath(), url.getQuery());
    }

    static String answer(String scheme, String host, int port, String path, String query) {
        boolean none = port == -1 || host == null || host.isEmpty();
        return "{\"scheme\": " + quoted(scheme) + ", \"host\": " + quoted(host)
            + ", \"port\": " + (none ? "null" : String.valueOf(port))
            + ", \"path\": " + quoted(path) + ", \"query\": " + quoted(query) + "}";
    }

    static String text(String digits) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        for (int at = 0; at + 1 < digits.length(); at += 2) {
            octets.write(Integer.parseInt(digits.substring(at, at + 2), 16));
        }
        return new String(octets.toByteArray(), StandardCharsets.UTF_8);
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
