// Judges each line `name|secret|header|body|now` (header and body in base64) and says `name accepted` or `name refused`.
mod verify;
use std::io::{stdin, BufRead};

fn main() {
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let fields: Vec<&str> = line.split('|').collect();
        // A header that is no text is none of ours.
        let header = String::from_utf8(decoded(fields[2])).unwrap_or_default();
        let accepted = verify::verify(fields[1], &header, &decoded(fields[3]), fields[4].parse().expect("seconds"));
        println!("{} {}", fields[0], if accepted { "accepted" } else { "refused" });
    }
}

fn decoded(base64: &str) -> Vec<u8> {
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for letter in base64.bytes().filter(|&b| b != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            _ => 63,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
