import { createHmac } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { type RequestHistory, requestBreachesOf, type SentRequest } from './request-checker.ts'

const nowMs = 1_800_000_000_000
const [old, fresh] = ['whsec_old', 'whsec_new']

function request(
  eventId: string,
  o: { type?: string; by?: string; signedMs?: number; more?: object } = {},
): SentRequest {
  const { type = 'integration.updated', by = fresh, signedMs = nowMs, more = {} } = o
  const body = JSON.stringify({ id: eventId, type, workspace_id: 'wsp_1', ...more })
  const time = Math.floor(signedMs / 1_000)
  const signature = `t=${time},v1=${createHmac('sha256', by).update(`${time}.${body}`).digest('hex')}`
  return { eventId, signature, body, atMs: nowMs + 500 }
}

const good: RequestHistory = {
  requests: [
    request('a'),
    request('a', { signedMs: nowMs - 3_000 }),
    request('b', { by: old }),
    // Of a process that stood still.
    request('c', { signedMs: nowMs - 30_000 }),
  ],
  arrived: 5,
  secrets: [
    { secret: old, fromMs: 0, untilMs: nowMs },
    { secret: fresh, fromMs: nowMs - 1_000, untilMs: Number.POSITIVE_INFINITY },
  ],
  workspaceId: 'wsp_1',
  types: ['integration.updated'],
  apartMs: 5_000,
  faults: [{ fromMs: nowMs - 29_000, untilMs: nowMs - 4_000 }],
}

describe('the checker of requests', () => {
  test('finds nothing in good ones, repetitions and those of an overlap included', () => {
    expect(requestBreachesOf(good)).toEqual([])
    expect(requestBreachesOf({ ...good, requests: [], arrived: 0 })).toEqual([])
  })

  const [first] = good.requests as [SentRequest]
  test.each<[string, string, Partial<RequestHistory>]>([
    ['I8', 'another body of the same event', { requests: [request('a'), request('a', { more: { n: 1 } })] }],
    ['I8', 'requests that nobody kept', { requests: [] }],
    ['I8', 'the id of another event', { requests: [{ ...first, eventId: 'x' }] }],
    ['I8, I9', 'a body that was cut off', { requests: [{ ...first, body: first.body.slice(0, -1) }] }],
    ['I9', 'one byte changed', { requests: [{ ...first, body: first.body.replace('updated"', 'updated" ') }] }],
    ['I9', 'a secret that was over', { secrets: [{ secret: fresh, fromMs: 0, untilMs: nowMs - 2_000 }] }],
    [
      'I9',
      'a secret that was not yet there',
      { secrets: [{ secret: fresh, fromMs: nowMs + 600, untilMs: nowMs * 2 }] },
    ],
    ['I9', 'no signature', { requests: [{ ...first, signature: '' }] }],
    ['I9', 'a time that is off', { requests: [request('a', { signedMs: nowMs - 40_000 })] }],
    ['I9', 'a time that is ahead', { requests: [request('a', { signedMs: nowMs + 6_000 })] }],
    ['I9', 'one of a process that did not stand still', { faults: [] }],
    ['I10', 'the id of another workspace', { requests: [request('a', { more: { seen: 'wsp_2' } })] }],
    ['I11', 'a foreign type', { requests: [request('a', { type: 'invoice.generated' })] }],
  ])('%s: names %s', (wanted, _, damage) => {
    const named = new Set(requestBreachesOf({ ...good, ...damage }).map((breach) => breach.split(':', 1)[0]))
    expect([...named].sort().join(', ')).toBe(wanted)
  })
})
