/** A name that pages can show: 1 to 100 characters besides spaces at its ends, none of them a control or a change of direction. */
export function isPersonName(text: string): boolean {
  const name = text.trim()
  return name !== '' && [...name].length <= 100 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u.test(name)
}
