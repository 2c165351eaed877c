// Instants in fields of the browser for date and time, which know no zone: they speak of the reader's own.

const pad = (number: number) => String(number).padStart(2, '0')

/** RFC 3339 to `YYYY-MM-DDTHH:MM` on the reader's clock; '' for none. */
export function toLocalInput(instant: string | undefined): string {
  if (instant === undefined) return ''
  const at = new Date(instant)
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}`
}

/** The way back; undefined for what is no time. */
export function fromLocalInput(text: string): string | undefined {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
