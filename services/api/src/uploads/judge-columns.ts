// Judges the header line of a CSV file of named columns while it arrives (domain.md 3.12). The lines of NDJSON each say their members.
import { Problem } from '@wds/http-service/problem'
import { columnFaults, type NamedColumns } from '../files/domain/named-columns.ts'
import { headerTooLong, readHeaderLine, startBytesMax } from '../files/header-line.ts'
import type { ImportFormat } from '../imports/domain/import.ts'
import { columnProblem } from './judge-start.ts'

/** Judges a start: true once it is complete and fits; throws a Problem where it does not. */
export function judgeColumns(columns: NamedColumns<string>) {
  return (start: Buffer, ended: boolean, format: ImportFormat): boolean => {
    if (format === 'ndjson') return true
    const header = readHeaderLine(start, ended)
    if (header === 'incomplete') {
      if (start.length > startBytesMax) throw new Problem('unknown_column', { detail: headerTooLong })
      return false
    }
    if ('fault' in header) throw new Problem('unknown_column', { detail: header.fault })
    const faults = columnFaults(header, columns)
    if (faults.length > 0) throw columnProblem(faults)
    return true
  }
}
