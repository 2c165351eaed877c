// Instants in fields of the browser for date and time, which know no zone: they speak of the reader's own.

const pad = (number: number, digits = 2) => String(number).padStart(digits, '0')

/** RFC 3339 to `YYYY-MM-DDTHH:MM` on the reader's clock; '' for none. */
export function toLocalInput(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  // Of a year that is being typed only the first digits are there.
  return `${pad(at.getFullYear(), 4)}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

/** The calendar date of an instant in a zone; that of UTC where the browser does not know the zone. */
export function dayIn(timeZone: string, ms: number): string {
  try {
    const format = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
    return new Intl.DateTimeFormat('sv-SE', format).format(ms)
  } catch {
    return new Date(ms).toISOString().slice(0, 10)
  }
}

/** The way back; undefined for what is no time. */
export function fromLocalInput(text: string): string | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
