// What counts as a mail address, and when two are the same. No mail is ever sent: an address is the name that a person signs in with.

/** An address as it was given. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@\p{C}]{1,64}@[^\s@\p{C}.]+(?:\.[^\s@\p{C}.]+)+$/u.test(text)
}

/** Two addresses with one key are the same account: case and the form of composed letters make no difference. */
export function emailKeyOf(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase()
}
