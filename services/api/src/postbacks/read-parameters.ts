// Reads the parameters of a postback from where its sender puts them: the query, a form or a JSON object. Parameters that the
// integration does not read may be anything.

import type { IncomingMessage } from 'node:http'
import { postbackParameters } from '@wds/contracts/postback-parameters'
import type { MountExchange } from '@wds/http-service/mount'
import { type Fault, Problem, problemOfFaults } from '@wds/http-service/problem'
import { queryOf, readPairs } from '@wds/http-service/query'
import { MalformedJson, parseStrictJson } from '@wds/http-service/strict-json'
import { asJsonRow, JsonNumber } from '../sources/domain/json-row.ts'
import { nameOf, type PostbackSettings } from '../sources/domain/postback-settings.ts'

const bodyBytesMax = 16_384

/** What was sent, before it is known which of it is read. */
export interface Sent {
  pairs: [name: string, text: string][]
  faults: Fault[]
}

/** Query and body. Throws a Problem where the body cannot be read at all. */
export async function readSent(request: IncomingMessage, exchange: MountExchange): Promise<Sent> {
  const body = await exchange.readBody({ bytesMax: bodyBytesMax })
  const faults: Fault[] = []
  const pairs = [...readPairs(queryOf(request.url ?? ''), faults)]
  if (body.length === 0) return { pairs, faults }
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') pairs.push(...readPairs(body.toString('utf8'), faults))
  else if (type === 'application/json') pairs.push(...readJson(body))
  else {
    const detail = 'Send the parameters in the query, as application/x-www-form-urlencoded or as application/json.'
    throw new Problem('unsupported_media_type', { detail })
  }
  return { pairs, faults }
}

/** The members that are texts, numbers or booleans; a number by its digits. */
function readJson(body: Buffer): [string, string][] {
  const members = Object.entries(parse(body))
  return members.flatMap(([name, value]): [string, string][] => {
    if (value instanceof JsonNumber) return [[name, value.digits]]
    return typeof value === 'string' || typeof value === 'boolean' ? [[name, String(value)]] : []
  })
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    const row = asJsonRow(parseStrictJson(body, (digits) => new JsonNumber(digits)))
    if (row !== null) return row
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    throw new Problem('malformed_json', { detail: error.message })
  }
  throw new Problem('invalid_type', { detail: 'The body must be an object.' })
}

/** The parameters that the integration reads. Throws a Problem where one of them is no text or was sent twice. */
export function parametersOf({ pairs, faults }: Sent, settings: PostbackSettings): ReadonlyMap<string, string> {
  const read = new Set(postbackParameters.map((parameter) => nameOf(parameter, settings)))
  const found = new Map<string, string>()
  const seen: Fault[] = faults.filter(({ parameter }) => read.has(parameter ?? ''))
  for (const [name, text] of pairs) {
    if (!read.has(name)) continue
    if (found.has(name))
      seen.push({ parameter: name, code: 'duplicate_parameter', detail: 'This parameter is given twice.' })
    if (text.includes('\0'))
      seen.push({ parameter: name, code: 'invalid_character', detail: 'Must not hold the character U+0000.' })
    found.set(name, text)
  }
  if (seen.length > 0) throw problemOfFaults(seen.slice(0, 1))
  return found
}
