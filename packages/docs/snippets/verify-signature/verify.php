<?php
// PHP 8.0 or later. $secret: as shown, whsec_ included. $header: X-Service-Signature. $body: the raw bytes (php://input).

function verify(string $secret, ?string $header, string $body, ?int $now = null): bool
{
    $form = '/\At=(0|[1-9][0-9]{0,9})((?:,v1=[0-9a-f]{64}){1,32})\z/';
    if (preg_match($form, $header ?? '', $parts) !== 1 || abs(($now ?? time()) - (int) $parts[1]) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', $parts[1] . '.' . $body, $secret);
    foreach (array_slice(explode(',v1=', $parts[2]), 1) as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}
