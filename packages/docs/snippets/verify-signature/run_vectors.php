<?php
// Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.

require __DIR__ . '/verify.php';

while (($line = fgets(STDIN)) !== false) {
    [$name, $secret, $header, $body, $now] = explode('|', rtrim($line, "\n"));
    $accepted = verify($secret, base64_decode($header), base64_decode($body), (int) $now);
    echo $name, $accepted ? " accepted\n" : " refused\n";
}
