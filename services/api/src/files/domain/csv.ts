// Decides how a record of an export stands in CSV (RFC 4180): quotes where they are needed, CRLF, and texts that no spreadsheet takes for
// a formula (C73).

/** First characters by which a spreadsheet takes a text for a formula, or drops what comes before one. */
const formulaStart = /^[=+\-@\t\r\n]/
const needsQuotes = /[",\r\n]/

/** One record with its line end. A number is written as it is, null as an empty cell. */
export function csvRecord(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formulaStart.test(value) ? `'${value}` : value
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
