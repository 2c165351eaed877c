using System;
using System.Text;

/// <summary>Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.</summary>
public static class RunVectors
{
    public static void Main()
    {
        for (string line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
        {
            string[] f = line.Split('|');
            string header = Encoding.UTF8.GetString(Convert.FromBase64String(f[2]));
            bool accepted = VerifyWebhook.Verify(f[1], header, Convert.FromBase64String(f[3]), long.Parse(f[4]));
            Console.Out.Write(f[0] + (accepted ? " accepted\n" : " refused\n"));
        }
    }
}
