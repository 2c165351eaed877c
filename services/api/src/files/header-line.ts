// Reads the header line of a CSV body (RFC 4180) from its first bytes. It never reads further.
import { CsvFault, CsvSplitter } from '../sources/domain/split-csv.ts'

/** Longest header line, or first row. */
export const startBytesMax = 65_536

/** The column names (none in an empty file), `incomplete` while the line has not ended, or why it is no header line. */
export function readHeaderLine(start: Buffer, ended: boolean): string[] | 'incomplete' | { fault: string } {
  const splitter = new CsvSplitter()
  try {
    for (const record of splitter.push(start)) return record.cells ?? { fault: faultTexts[record.fault] }
    if (!ended) return start.includes(0) ? { fault: faultTexts.bad_encoding } : 'incomplete'
    for (const record of splitter.end()) return record.cells ?? { fault: faultTexts[record.fault] }
    return []
  } catch (error) {
    if (error instanceof CsvFault) return { fault: `The header line is no CSV: ${error.message}` }
    throw error
  }
}

const faultTexts = {
  row_too_large: 'The header line is longer than 64 KiB or has more than 200 columns.',
  bad_encoding: 'The header line is not UTF-8 text; a file in UTF-16 must be saved as UTF-8.',
}

/** What is said of a header line that does not end within its bounds. */
export const headerTooLong = faultTexts.row_too_large
