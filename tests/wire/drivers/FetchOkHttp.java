// Fetches each line of standard input by OkHttp, and answers a line when it is done.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;

public class FetchOkHttp {
    public static void main(String[] arguments) throws Exception {
        X509TrustManager any = new X509TrustManager() {
            public void checkClientTrusted(X509Certificate[] chain, String type) {}
            public void checkServerTrusted(X509Certificate[] chain, String type) {}
            public X509Certificate[] getAcceptedIssuers() { return new X509Certificate[0]; }
        };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {any}, new SecureRandom());
        OkHttpClient client = new OkHttpClient.Builder().sslSocketFactory(context.getSocketFactory(), any)
            .hostnameVerifier((name, session) -> true).callTimeout(Duration.ofSeconds(5)).build();
        System.out.println(OkHttp.VERSION);
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try (var answer = client.newCall(new Request.Builder().url(line).build()).execute()) {
                answer.body().string();
                System.out.println("done");
            } catch (Exception error) {
                System.out.println(error.getClass().getName());
            }
            System.out.flush();
        }
    }
}
