// Fetches each line of standard input by Apache's HttpClient 5, and answers a line when it is done.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.client5.http.ssl.SSLConnectionSocketFactory;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.VersionInfo;

public class FetchApache {
    public static void main(String[] arguments) throws Exception {
        var trusting = SSLContexts.custom().loadTrustMaterial(null, (chain, type) -> true).build();
        var sockets = new SSLConnectionSocketFactory(trusting, NoopHostnameVerifier.INSTANCE);
        var manager = PoolingHttpClientConnectionManagerBuilder.create().setSSLSocketFactory(sockets).build();
        CloseableHttpClient client = HttpClients.custom().setConnectionManager(manager).disableAutomaticRetries().build();
        VersionInfo version = VersionInfo.loadVersionInfo("org.apache.hc.client5", FetchApache.class.getClassLoader());
        System.out.println(version == null ? "5" : version.getRelease());
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            try (var answer = client.execute(new HttpGet(line))) {
                EntityUtils.consume(answer.getEntity());
                System.out.println("done");
            } catch (Exception error) {
                System.out.println(error.getClass().getName());
            }
            System.out.flush();
        }
    }
}
