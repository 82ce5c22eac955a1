// Fetches each line of standard input by one client of the JDK, and answers a line when it is done.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

public class Fetch {
    public static void main(String[] arguments) throws Exception {
        System.setProperty("jdk.internal.httpclient.disableHostnameVerification", "true");
        X509TrustManager any = new X509TrustManager() {
            public void checkClientTrusted(X509Certificate[] chain, String type) {}
            public void checkServerTrusted(X509Certificate[] chain, String type) {}
            public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
        };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {any}, new SecureRandom());
        HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
        HttpsURLConnection.setDefaultHostnameVerifier((name, session) -> true);
        HttpClient client = HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5)).build();
        System.out.println(System.getProperty("java.version"));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try {
                if (arguments[0].equals("HttpClient")) {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(line)).timeout(Duration.ofSeconds(5)).build();
                    client.send(request, HttpResponse.BodyHandlers.ofString());
                } else {
                    HttpURLConnection connection = (HttpURLConnection) new URL(line).openConnection();
                    connection.setConnectTimeout(5000);
                    connection.setReadTimeout(5000);
                    connection.getInputStream().readAllBytes();
                }
                System.out.println("done");
            } catch (Exception error) {
                System.out.println(error.getClass().getName());
            }
            System.out.flush();
        }
    }
}
