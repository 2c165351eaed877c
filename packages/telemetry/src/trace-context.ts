// Makes and reads W3C trace context headers without the OpenTelemetry SDK (stack.md 8).
// It never hands on `tracestate` or `baggage`, and ids are valid whether or not anything records them.

import { randomFillSync } from 'node:crypto'

/** A header to send and the trace id to write into log lines (32 lower-case hex digits). */
export interface TraceContext {
  traceparent: string
  traceId: string
}

/** The parts of a `traceparent`. */
export interface ParsedTraceparent {
  traceId: string
  /** 16 lower-case hex digits: the span of the sender. */
  spanId: string
  /** 0 to 255; bit 0 says that the sender records the trace. */
  flags: number
}

type RandomBytes = (length: number) => Uint8Array

// A call for 8 bytes costs as much as one for thousands, and every attempt makes an id.
const pool = Buffer.alloc(4_096)
let poolUsed = pool.length

/** For ids, never for secrets: from the runtime's CSPRNG, many calls' worth at once. Valid until the next call. */
export function pooledBytes(length: number): Uint8Array {
  if (poolUsed + length > pool.length) {
    randomFillSync(pool)
    poolUsed = 0
  }
  poolUsed += length
  return pool.subarray(poolUsed - length, poolUsed)
}

const zeroes = '0'.repeat(32)

/** An id of all zeroes is invalid (W3C Trace Context 3.2.2.3 and 3.2.2.4): its last bit is set then. */
function randomHex(length: number, random: RandomBytes): string {
  const bytes = Buffer.from(random(length))
  if (bytes.length !== length) throw new RangeError(`expected ${length} random bytes`)
  const hex = bytes.toString('hex')
  return hex === zeroes.slice(0, 2 * length) ? `${hex.slice(0, -1)}1` : hex
}

function contextOf(traceId: string, spanId: string, flags: number): TraceContext {
  return { traceId, traceparent: `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}` }
}

/** A new trace that nobody records (flag 00). `random` gives that many bytes; default: the runtime's CSPRNG. */
export function newTraceContext(random: RandomBytes = pooledBytes): TraceContext {
  return contextOf(randomHex(16, random), randomHex(8, random), 0)
}

/** The parts of a `traceparent` header, or null when it is malformed. Later versions are read as version 00 where they begin alike. */
export function parseTraceparent(text: string | undefined): ParsedTraceparent | null {
  if (text === undefined || text.length > 512) return null
  if (!/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?=$|-)/.test(text)) return null
  const [version, traceId, spanId] = [text.slice(0, 2), text.slice(3, 35), text.slice(36, 52)]
  if (version === 'ff' || (version === '00' && text.length !== 55)) return null
  if (traceId === zeroes || spanId === zeroes.slice(0, 16)) return null
  const bits = Number.parseInt(text.slice(53, 55), 16)
  return { traceId, spanId, flags: version === '00' ? bits : bits & 1 }
}

/** A new span in the trace of a `traceparent`, read or not, its flags kept; a new trace when it is missing or malformed. */
export function childOf(
  traceparent: string | ParsedTraceparent | undefined,
  random: RandomBytes = pooledBytes,
): TraceContext {
  const parent = typeof traceparent === 'object' ? traceparent : parseTraceparent(traceparent)
  if (parent === null) return newTraceContext(random)
  return contextOf(parent.traceId, randomHex(8, random), parent.flags)
}

/** The same with flag 00: the trace id of a caller whose decision to record is not ours. */
export function unsampledChildOf(traceparent: string | undefined, random: RandomBytes = pooledBytes): TraceContext {
  const parent = parseTraceparent(traceparent)
  return parent === null ? newTraceContext(random) : contextOf(parent.traceId, randomHex(8, random), 0)
}
