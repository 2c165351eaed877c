import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Java 8 or later. */
final class VerifyWebhook {
    private static final Pattern FORM = Pattern.compile("t=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64}){1,32})");

    /** secret: as shown, whsec_ included. header: X-Service-Signature, or null. body: the raw bytes. */
    static boolean verify(String secret, String header, byte[] body, long nowSeconds) throws GeneralSecurityException {
        Matcher parts = FORM.matcher(header == null ? "" : header);
        if (!parts.matches() || Math.abs(nowSeconds - Long.parseLong(parts.group(1))) > 300) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((parts.group(1) + ".").getBytes(StandardCharsets.UTF_8));
        StringBuilder hex = new StringBuilder();
        for (byte b : mac.doFinal(body)) hex.append(String.format("%02x", b));
        byte[] expected = hex.toString().getBytes(StandardCharsets.UTF_8);
        boolean found = false;
        for (String given : parts.group(2).substring(1).split(",")) {
            found |= MessageDigest.isEqual(given.substring(3).getBytes(StandardCharsets.UTF_8), expected);
        }
        return found;
    }
}
