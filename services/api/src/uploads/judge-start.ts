// Judges the start of an upload while it arrives: the header line of a CSV body, the first row of an NDJSON body
// (domain.md 3.12). It never reads further.
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import { headerTooLong, readHeaderLine, startBytesMax } from '../files/header-line.ts'
import type { ImportFormat } from '../imports/domain/import.ts'
import type { IntegrationFields } from '../integrations/domain/integration-fields.ts'
import { asJsonRow, bindJson, JsonNumber, type JsonObject } from '../sources/domain/json-row.ts'
import { bindHeader, type ColumnFault } from '../sources/domain/row-mapping.ts'

/** True once the start is complete and fits; throws a Problem where it does not. */
export function judgeStart(
  start: Buffer,
  ended: boolean,
  { fields, format }: { fields: IntegrationFields; format: ImportFormat },
): boolean {
  return format === 'csv' ? judgeHeader(start, ended, fields) : judgeFirstRow(start, ended, fields)
}

function judgeHeader(start: Buffer, ended: boolean, fields: IntegrationFields): boolean {
  const header = readHeaderLine(start, ended)
  if (header === 'incomplete') {
    if (start.length > startBytesMax) throw new Problem('unknown_column', { detail: headerTooLong })
    return false
  }
  if ('fault' in header) throw new Problem('unknown_column', { detail: header.fault })
  const bound = bindHeader(header, fields.granularity, fields.settings.mapping ?? null)
  if (!bound.ok) throw columnProblem(bound.faults)
  return true
}

function judgeFirstRow(start: Buffer, ended: boolean, fields: IntegrationFields): boolean {
  const line = firstLine(start, ended)
  if (line === 'incomplete') {
    if (start.length > startBytesMax) throw malformed('The first line is longer than 64 KiB.')
    return false
  }
  const bound = bindJson(parseRow(line), fields.granularity, fields.settings.mapping ?? null)
  if (!bound.ok) throw columnProblem(bound.faults)
  return true
}

/** The first line that is not blank; empty where there is none. */
function firstLine(start: Buffer, ended: boolean): Buffer | 'incomplete' {
  let from = 0
  for (let end = start.indexOf(0x0a); end >= 0; end = start.indexOf(0x0a, from)) {
    if (start.subarray(from, end).toString('latin1').trim() !== '') return start.subarray(from, end)
    from = end + 1
  }
  return ended ? start.subarray(from) : 'incomplete'
}

function parseRow(line: Buffer): JsonObject {
  if (line.toString('latin1').trim() === '') return {}
  try {
    const row = asJsonRow(parseStrictJson(line, (digits) => new JsonNumber(digits)))
    if (row) return row
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    throw malformed(`The first line is no JSON object: ${error.message}`)
  }
  throw malformed('The first line is no JSON object.')
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', { detail })
}

const faultTexts = {
  unknown: 'is not known',
  missing: 'is missing',
  duplicate: 'stands twice',
} as const

export function columnProblem(faults: ColumnFault[]): Problem {
  const errors = faults.slice(0, 50).map(({ column, fault }) => ({
    pointer: '',
    code: 'unknown_column' as const,
    detail:
      column === ''
        ? 'A column has no name.'
        : `The column ${JSON.stringify(column.slice(0, 40))} ${faultTexts[fault]}.`,
  }))
  const [first, second] = errors
  if (first && !second) return problemOfFaults(errors)
  return new Problem('unknown_column', { detail: `${faults.length} columns do not fit.`, errors })
}
