// Trace context headers are valid by themselves and survive a round trip.

import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { childOf, newTraceContext, parseTraceparent } from './trace-context.ts'

const sample = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe('trace context', () => {
  test('a new context is a valid header whatever the random bytes, zeroes included', () => {
    fc.assert(
      fc.property(fc.oneof(bytes(16), fc.constant(new Uint8Array(16))), (source) => {
        const context = newTraceContext((length) => source.subarray(0, length))
        expect(parseTraceparent(context.traceparent)).toMatchObject({ traceId: context.traceId, flags: 0 })
      }),
    )
  })

  test('no two contexts are alike', () => {
    const contexts = Array.from({ length: 5_000 }, () => newTraceContext())
    expect(new Set(contexts.map(({ traceId }) => traceId)).size).toBe(5_000)
    expect(new Set(contexts.map(({ traceparent }) => parseTraceparent(traceparent)?.spanId)).size).toBe(5_000)
    expect(new Set(contexts.map(() => childOf(sample).traceparent)).size).toBe(5_000)
  })

  test('a child keeps trace and flags and has a span of its own', () => {
    const child = childOf(sample)
    expect(child.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    expect(parseTraceparent(child.traceparent)?.spanId).not.toBe('b7ad6b7169203331')
  })

  test('a malformed or missing parent begins a new trace', () => {
    for (const text of [
      undefined,
      '',
      sample.toUpperCase(),
      `${sample}-x`,
      sample.replace('00-', 'ff-'),
      sample.slice(0, 54),
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `${sample}\n`,
    ]) {
      expect(parseTraceparent(text)).toBeNull()
      expect(childOf(text).traceparent).toMatch(/-00$/)
    }
  })

  test('a later version is read as far as it is known', () => {
    expect(parseTraceparent(`${sample.replace('00-', '01-').slice(0, -2)}ff-more`)).toMatchObject({ flags: 1 })
  })

  test('any text is either refused or has valid ids', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((tail) => sample + tail),
        ),
        (text) => {
          const parsed = parseTraceparent(text)
          if (parsed !== null) expect(parsed.traceId).toMatch(/^[0-9a-f]{32}$/)
        },
      ),
    )
  })
})
