// Reads the header line of a CSV body (RFC 4180) from its first bytes. It never reads further.
import { parse } from 'csv-parse/sync'

/** The column names, or `incomplete` while the line has not ended. A line that is no CSV counts as having no columns. */
export function readHeaderLine(start: Buffer, ended: boolean): string[] | 'incomplete' {
  const text = start.subarray(0, 131_072)
  let quoted = false
  let end = -1
  for (let index = 0; index < text.length && end < 0; index++) {
    if (text[index] === 0x22) quoted = !quoted
    else if (text[index] === 0x0a && !quoted) end = index + 1
  }
  if (end < 0 && !ended) return 'incomplete'
  try {
    const records = parse(end < 0 ? text : text.subarray(0, end), {
      bom: true,
      to: 1,
      record_delimiter: ['\r\n', '\n'],
    })
    return (records[0] as string[] | undefined) ?? []
  } catch {
    return []
  }
}
