// Writes rows of an export as the text of its format. The same rows make the same bytes, whoever writes them.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { csvRecord } from '../files/domain/csv.ts'
import type { ExportOrder } from './domain/export.ts'
import type { ExportRow } from './export-source.ts'

const packed = promisify(gzip)

/** A piece of the file; of CSV the first one begins with the header line: `columns`, null behind it. */
export async function pieceOf(
  rows: readonly ExportRow[],
  o: Pick<ExportOrder, 'format' | 'compression'> & { columns: readonly string[] | null },
): Promise<Buffer> {
  const lines = rows.map(({ json, cells }) => (o.format === 'ndjson' ? `${JSON.stringify(json)}\n` : csvRecord(cells)))
  const header = o.columns !== null && o.format === 'csv' ? csvRecord(o.columns) : ''
  const text = Buffer.from(header + lines.join(''), 'utf8')
  // A member of its own each, one behind the other: a gzip file may consist of many (RFC 1952 2.2).
  return o.compression === 'gzip' ? packed(text) : text
}
