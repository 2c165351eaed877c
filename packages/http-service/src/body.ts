// Receives a body within its limit and deadline and judges its content type. What is wrong with it is kept for the moment the handler asks for it.
import { createHash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FieldFault } from '@wds/contracts/field-fault'
import { canonicalJson } from './canonical-json.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { readParts } from './multipart.ts'
import { type Fault, Problem, problemOfFaults } from './problem.ts'
import type { BodyKind } from './route.ts'
import { below, type Validate } from './schemas.ts'
import { MalformedJson, parseStrictJson } from './strict-json.ts'

export interface BodyRule {
  kind: BodyKind
  /** Validator by media type; for streams the values are not used. */
  content: Map<string, Validate>
  required: boolean
  bytesMax: number
  deadlineMs: number
  /** Content codings that are let through as they are. */
  encodings: readonly string[]
  /** Of a multipart body: the parts that are bytes; all others are JSON. */
  byteParts: readonly string[]
}

/** A body that was or will be received. */
export interface Body {
  contentType: string | null
  contentEncoding: string | null
  stream: Readable | null
  /** The valid value. Throws the Problem of the body. */
  judge(): unknown
  /** Text that equal bodies share (api-conventions.md 5). Drains the stream. */
  fingerprint(): Promise<string>
}

/** The client went away before its request was complete: there is nobody to answer. */
export class ClientDisconnected extends Error {}

/** Receives the body. Throws Problem `request_timeout` and ClientDisconnected; all other faults wait in `judge`. */
export async function receiveBody(request: IncomingMessage, rule: BodyRule): Promise<Body> {
  const contentType = mediaTypeOf(request.headers['content-type'])
  if (rule.kind === 'stream') return openStream(request, rule, contentType)
  const empty = !hasContent(request)
  const refusal = empty ? null : refuseType(request, rule, contentType)
  // Proxies announce chunks where there may be none: nothing at all needs no type.
  if (refusal && !(contentType === null && isChunked(request))) return refused(contentType, refusal)
  const bytes = empty ? Buffer.alloc(0) : await readBytes(request, rule)
  if (refusal && (bytes instanceof Problem || bytes.length > 0)) return refused(contentType, refusal)
  if (bytes instanceof Problem) return refused(contentType, bytes)
  const isForm = rule.kind === 'multipart'
  const parts = isForm && bytes.length > 0 ? await readParts(bytes, request.headers['content-type'] ?? '') : new Map()
  if (parts instanceof Problem) return refused(contentType, parts)
  let judged: Judged | undefined
  return {
    contentType,
    contentEncoding: null,
    stream: null,
    judge: () => {
      judged ??= isForm ? judgeParts(parts, rule, contentType) : judgeBytes(bytes, rule, contentType)
      if (judged.problem) throw judged.problem
      return judged.value
    },
    fingerprint: async () => (isForm ? fingerprintOfParts(parts, rule) : fingerprintOf(bytes, rule)),
  }
}

function refused(contentType: string | null, problem: Problem): Body {
  return {
    contentType,
    contentEncoding: null,
    stream: null,
    judge: () => {
      throw problem
    },
    // No answer with this body is ever stored, so it equals nothing that is.
    fingerprint: async () => 'refused',
  }
}

type Judged = { value: unknown; problem?: undefined } | { problem: Problem }

function judgeBytes(bytes: Buffer, rule: BodyRule, contentType: string | null): Judged {
  if (bytes.length === 0) {
    if (!rule.required) return judgeValue({}, rule, contentType)
    return { problem: new Problem('malformed_json', { detail: 'The body is empty; a JSON object is needed.' }) }
  }
  try {
    return judgeValue(parseStrictJson(bytes), rule, contentType)
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    return { problem: new Problem('malformed_json', { detail: error.message }) }
  }
}

/** The parts as members of one object. */
function judgeParts(parts: Map<string, Buffer>, rule: BodyRule, contentType: string | null): Judged {
  const members: [string, unknown][] = []
  for (const [name, bytes] of parts) {
    try {
      members.push([name, rule.byteParts.includes(name) ? bytes : parseStrictJson(bytes)])
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error
      const detail = `The part ${name.slice(0, 100)} is not JSON: ${error.message}`
      return { problem: new Problem('malformed_json', { detail }) }
    }
  }
  return judgeValue(Object.fromEntries(members), rule, contentType)
}

function judgeValue(value: unknown, rule: BodyRule, contentType: string | null): Judged {
  const validate = rule.content.get(contentType ?? '') ?? [...rule.content.values()][0]
  const object = value !== null && typeof value === 'object' && !Array.isArray(value)
  const faults: Fault[] = object
    ? [...findNul(value, ''), ...(validate?.(value) ?? [])]
    : [{ pointer: '', code: 'invalid_type', detail: 'The body must be an object.' }]
  return faults.length > 0 ? { problem: problemOfFaults(faults) } : { value }
}

/** Of the bytes, not of the value that a handler was given. */
function fingerprintOf(bytes: Buffer, rule: BodyRule): string {
  if (bytes.length === 0) return rule.required ? '' : '{}'
  try {
    return canonicalJson(parseStrictJson(bytes))
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    return hash('sha256', bytes, 'hex')
  }
}

/** Whatever the boundary and the order of the parts. */
function fingerprintOfParts(parts: Map<string, Buffer>, rule: BodyRule): string {
  const texts = [...parts].map(([name, bytes]) => {
    const isBytes = rule.byteParts.includes(name)
    return [name, isBytes ? hash('sha256', bytes, 'hex') : fingerprintOf(bytes, rule)]
  })
  return JSON.stringify(texts.sort())
}

/** C09: U+0000 in any string or key. */
function findNul(value: unknown, pointer: string): FieldFault[] {
  const fault: FieldFault = {
    pointer,
    code: 'invalid_character',
    detail: 'Must not hold the character U+0000.',
  }
  if (typeof value === 'string') return value.includes('\0') ? [fault] : []
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const at = below(pointer, key)
    return [...(key.includes('\0') ? [{ ...fault, pointer: at }] : []), ...findNul(item, at)]
  })
}

function isChunked(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined
}

/** Does the request announce a body of at least one byte? */
export function hasContent(request: IncomingMessage): boolean {
  const length = request.headers['content-length']
  return isChunked(request) || (length !== undefined && Number(length) > 0)
}

function mediaTypeOf(header: string | undefined): string | null {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase()
  return type ? type : null
}

const mergePatch = 'application/merge-patch+json'

function refuseType(request: IncomingMessage, rule: BodyRule, contentType: string | null): Problem | null {
  const encoding = encodingOf(request)
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  const accepted = acceptedTypes(rule)
  const known = contentType !== null && accepted.includes(contentType)
  const readable = encoding === null || rule.encodings.includes(encoding)
  if (known && readable && (charset === undefined || /^utf-?8$/i.test(charset))) return null
  const codings = ['no content encoding', ...rule.encodings].join(' or ')
  const detail = readable ? `Send ${accepted.join(' or ')} in UTF-8.` : `Send the body with ${codings}.`
  return new Problem('unsupported_media_type', { detail })
}

/** The content coding, lower case; null for none. */
function encodingOf(request: IncomingMessage): string | null {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase()
  return encoding === undefined || encoding === 'identity' ? null : encoding
}

function acceptedTypes(rule: BodyRule): string[] {
  if (rule.kind === 'stream' || rule.kind === 'multipart') return [...rule.content.keys()]
  return rule.kind === 'merge-patch' ? [mergePatch, 'application/json'] : ['application/json']
}

/** The bytes, or the Problem of a body over the limit. Throws Problem `request_timeout` and ClientDisconnected. */
export async function readBytes(
  request: IncomingMessage,
  rule: Pick<BodyRule, 'bytesMax' | 'deadlineMs'>,
): Promise<Buffer | Problem> {
  // Made only where it is needed: an error looks at the stack.
  const tooLarge = () => new Problem('payload_too_large')
  if (Number(request.headers['content-length'] ?? 0) > rule.bytesMax) return tooLarge()
  return new Promise((settle, fail) => {
    const bytes = new JoinedBytes()
    const end = (act: () => void) => {
      clearTimeout(timer)
      request.off('data', take).off('end', done).off('close', gone)
      act()
    }
    const timer = setTimeout(() => end(() => fail(tooSlow())), rule.deadlineMs)
    const take = (chunk: Buffer) => {
      bytes.add(chunk)
      if (bytes.length > rule.bytesMax) end(() => settle(tooLarge()))
    }
    const done = () => end(() => settle(bytes.take()))
    const gone = () => end(() => fail(new ClientDisconnected()))
    request.on('data', take).on('end', done).on('close', gone)
  })
}

function openStream(request: IncomingMessage, rule: BodyRule, contentType: string | null): Body {
  const hash = createHash('sha256')
  const stream = new PassThrough()
  const refusal = refuseType(request, rule, contentType)
  // Somebody who never reads the stream must not end the process with its error.
  stream.on('error', () => undefined)
  if (refusal) return { ...refused(contentType, refusal), stream: stream.destroy(refusal) }
  const tooLarge = Number(request.headers['content-length'] ?? 0) > rule.bytesMax
  let length = 0
  const stop = (error: Error) => {
    clearTimeout(timer)
    request.unpipe(stream)
    stream.destroy(error)
  }
  const timer = setTimeout(() => stop(tooSlow()), rule.deadlineMs)
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    hash.update(chunk)
    if (length > rule.bytesMax) stop(new Problem('payload_too_large'))
  })
  request.on('close', () => (request.complete ? clearTimeout(timer) : stop(new ClientDisconnected())))
  if (tooLarge) stop(new Problem('payload_too_large'))
  else request.pipe(stream)
  let digest: string | undefined
  const fingerprint = async () => {
    await finished(stream.resume(), { writable: false })
    digest ??= hash.digest('hex')
    return [contentType, encodingOf(request), digest].filter((part) => part !== null).join(':')
  }
  return {
    contentType,
    contentEncoding: encodingOf(request),
    stream,
    judge: () => ({}),
    fingerprint,
  }
}

/** The rest of a body that comes by drops is not waited for. */
function tooSlow(): Problem {
  return new Problem('request_timeout', { headers: { connection: 'close' } })
}
