// Decides what may be the name of a campaign that a file or a source names, as `Name` of the API's document does of what people name.

const form = /^(?=.*[^\s\p{Cc}\p{Cf}])\P{Cc}*$/u

/** Whether the text has a character that is seen, and no control characters. */
export function isName(text: string): boolean {
  return form.test(text)
}
