// Judges the header line of a CSV file of rates while it arrives (domain.md 3.12). The lines of NDJSON each say their members.
import { Problem } from '@wds/http-service/problem'
import type { ImportFormat } from '../imports/domain/import.ts'
import { rateColumnFaults } from '../rate-imports/domain/rate-line.ts'
import { headerTooLong, readHeaderLine } from './header-line.ts'
import { columnProblem, startBytesMax } from './judge-start.ts'

/** True once the start is complete and fits; throws a Problem where it does not. */
export function judgeRatesStart(start: Buffer, ended: boolean, format: ImportFormat): boolean {
  if (format === 'ndjson') return true
  const header = readHeaderLine(start, ended)
  if (header === 'incomplete') {
    if (start.length > startBytesMax) throw new Problem('unknown_column', { detail: headerTooLong })
    return false
  }
  if ('fault' in header) throw new Problem('unknown_column', { detail: header.fault })
  const faults = rateColumnFaults(header)
  if (faults.length > 0) throw columnProblem(faults)
  return true
}
