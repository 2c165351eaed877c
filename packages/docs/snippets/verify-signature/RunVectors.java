import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`. */
final class RunVectors {
    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] f = line.split("\\|", -1);
            String header = new String(Base64.getDecoder().decode(f[2]), StandardCharsets.UTF_8);
            byte[] body = Base64.getDecoder().decode(f[3]);
            boolean accepted = VerifyWebhook.verify(f[1], header, body, Long.parseLong(f[4]));
            System.out.println(f[0] + (accepted ? " accepted" : " refused"));
        }
    }
}
