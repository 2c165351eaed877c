// Rust 1.85 or later, with the crates hmac 0.13 and sha2 0.11. secret: as shown, whsec_ included. header: X-Service-Signature. body: the raw bytes.
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub fn verify(secret: &str, header: &str, body: &[u8], now_seconds: i64) -> bool {
    let Some((t, signatures)) = header.strip_prefix("t=").and_then(|rest| rest.split_once(",v1=")) else {
        return false;
    };
    let is_number = t == "0" || (t.len() <= 10 && !t.starts_with('0') && t.bytes().all(|b| b.is_ascii_digit()));
    let Ok(time) = t.parse::<i64>() else { return false };
    let given: Vec<Option<Vec<u8>>> = signatures.split(",v1=").map(bytes_of).collect();
    if !is_number || (now_seconds - time).abs() > 300 || given.len() > 32 || given.contains(&None) {
        return false;
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("any length will do");
    mac.update(format!("{t}.").as_bytes());
    mac.update(body);
    // Compares in constant time.
    given.iter().flatten().any(|signature| mac.clone().verify_slice(signature).is_ok())
}

/// 64 lower-case hex digits.
fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let is_hex = hex.len() == 64 && hex.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if !is_hex {
        return None;
    }
    (0..64).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok()).collect()
}
