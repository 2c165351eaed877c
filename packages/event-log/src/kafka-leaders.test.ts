import { describe, expect, test } from '@jest/globals'
import { FakeClock } from '@wds/pacing/fake-clock'
import { justMade, leaderGone, whenLed } from './kafka-leaders.ts'

const fault = (type: string): Error => Object.assign(new Error(type), { type })

/** Asks a broker that is without leaders for so long, ms of its own time. */
async function ask(o: { leaderAfterMs: number; wait: typeof justMade; type?: string; closeAtMs?: number }) {
  const clock = new FakeClock()
  const ended = new AbortController()
  const lines: string[] = []
  const hear = (_: object, line: string) => void lines.push(line)
  let outcome = 'waits'
  const asked = whenLed(
    async () => {
      if (clock.nowMs() < o.leaderAfterMs) throw fault(o.type ?? 'NOT_LEADER_FOR_PARTITION')
      return 'led'
    },
    { ...o.wait, topic: 't', ended: ended.signal, logger: { info: hear, warn: hear, error: hear }, clock },
  ).then(
    (answer) => {
      outcome = answer
    },
    (error: Error) => {
      outcome = error.message
    },
  )
  if (o.closeAtMs !== undefined) clock.after(o.closeAtMs, () => ended.abort())
  await clock.advance(100_000)
  await asked
  return { outcome, lines, pending: clock.pending }
}

describe('partitions without a leader', () => {
  test('regression: those made just now are waited for, also on a broker that takes 59 s; one line says so', async () => {
    expect(await ask({ leaderAfterMs: 59_000, wait: justMade })).toEqual({
      outcome: 'led',
      lines: ['Kafka partitions have no leader yet, waiting'],
      pending: 0,
    })
  })

  test('a short wait is told nobody', async () => {
    expect(await ask({ leaderAfterMs: 1_900, wait: justMade })).toMatchObject({ outcome: 'led', lines: [] })
  })

  test('a topic made just now may be unknown for a moment, one that was there before may not', async () => {
    const unknown = { leaderAfterMs: 1_000, type: 'UNKNOWN_TOPIC_OR_PARTITION' }
    expect(await ask({ ...unknown, wait: justMade })).toMatchObject({ outcome: 'led' })
    expect(await ask({ ...unknown, wait: leaderGone })).toMatchObject({ outcome: 'UNKNOWN_TOPIC_OR_PARTITION' })
  })

  test.each([
    ['made just now', justMade, 61_000],
    ['there before', leaderGone, 6_000],
  ])('the wait has an end: %s', async (_, wait, leaderAfterMs) => {
    expect(await ask({ leaderAfterMs, wait })).toMatchObject({ outcome: 'NOT_LEADER_FOR_PARTITION', pending: 0 })
  })

  test('another fault is not waited out', async () => {
    expect(await ask({ leaderAfterMs: 1, type: 'TOPIC_AUTHORIZATION_FAILED', wait: justMade })).toMatchObject({
      outcome: 'TOPIC_AUTHORIZATION_FAILED',
      lines: [],
    })
  })

  test('a log that is closed waits no longer', async () => {
    const closed = await ask({ leaderAfterMs: 50_000, wait: justMade, closeAtMs: 1_000 })
    expect(closed).toEqual({ outcome: 'NOT_LEADER_FOR_PARTITION', lines: [], pending: 0 })
  })
})
