using System;
using System.Globalization;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>.NET 6 or later.</summary>
public static class VerifyWebhook
{
    private static readonly Regex Form = new Regex(@"\At=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64}){1,32})\z", RegexOptions.CultureInvariant);

    /// <summary>secret: as shown, whsec_ included. header: X-Service-Signature, or null. body: the raw bytes.</summary>
    public static bool Verify(string secret, string header, byte[] body, long nowSeconds)
    {
        Match parts = Form.Match(header ?? "");
        if (!parts.Success) return false;
        string t = parts.Groups[1].Value;
        if (Math.Abs(nowSeconds - long.Parse(t, CultureInfo.InvariantCulture)) > 300) return false;
        byte[] signed = Encoding.ASCII.GetBytes(t + ".").Concat(body).ToArray();
        byte[] mac;
        using (HMACSHA256 hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret))) mac = hmac.ComputeHash(signed);
        byte[] expected = Encoding.ASCII.GetBytes(BitConverter.ToString(mac).Replace("-", "").ToLowerInvariant());
        bool found = false;
        foreach (string given in parts.Groups[2].Value.Substring(1).Split(','))
            found |= CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(given.Substring(3)), expected);
        return found;
    }
}
