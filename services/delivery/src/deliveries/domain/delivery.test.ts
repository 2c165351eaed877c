// The state machine of a delivery and its fold (settled-points.md 1, 3, 4, 10).
import { describe, expect, test } from '@jest/globals'
import { deliveryLogKinds, deliveryStatuses } from '@wds/contracts/states'
import fc from 'fast-check'
import { fold, ImpossibleLog, type LogRow, mayReplay, transitions } from './delivery.ts'
import { defaultSchedule } from './schedule.ts'

const row = (kind: LogRow['kind'], more: Partial<LogRow> = {}): LogRow => ({
  kind,
  epoch: 1,
  attempt: 0,
  atMs: 0,
  dueMs: null,
  status: null,
  errorCode: null,
  deadReason: null,
  ...more,
})
const scheduled = row('scheduled', { dueMs: 0 })
const failed = (attempt: number, dueMs: number | null = attempt * 1_000): LogRow =>
  row('attempt_failed', { attempt, dueMs, status: 500, errorCode: 'http_status' })
const exhausted = row('exhausted', { attempt: 6, deadReason: 'attempts_exhausted', atMs: 9 })
const state = (rows: LogRow[]) => fold(rows, defaultSchedule)

describe('fold', () => {
  test('a delivery is pending until its first attempt has ended', () => {
    expect(state([scheduled])).toMatchObject({
      status: 'pending',
      epoch: 1,
      attempt: 0,
      dueMs: 0,
      lastOutcome: null,
      attemptsMax: 6,
    })
  })

  test('a success delivers, with nothing due', () => {
    const done = row('attempt_succeeded', { attempt: 1, status: 200, atMs: 7 })
    expect(state([scheduled, done])).toMatchObject({
      status: 'delivered',
      attempt: 1,
      dueMs: null,
      lastStatus: 200,
      deliveredMs: 7,
    })
  })

  test('failed attempts 1 to 5 wait for the next; the sixth makes it dead at once', () => {
    const rows = [scheduled, failed(1), failed(2), failed(3), failed(4), failed(5)]
    expect(state(rows)).toMatchObject({ status: 'retry', attempt: 5, dueMs: 5_000, lastError: 'http_status' })
    expect(state([...rows, failed(6, null), exhausted])).toMatchObject({
      status: 'dead',
      attempt: 6,
      dueMs: null,
      deadReason: 'attempts_exhausted',
      deadMs: 9,
    })
  })

  test('an unknown attempt counts, a released one does not and its number is used again', () => {
    const unknown = row('attempt_unknown', { attempt: 1, dueMs: 30 })
    const released = row('attempt_released', { attempt: 2, dueMs: 40 })
    expect(state([scheduled, unknown])).toMatchObject({ status: 'retry', attempt: 1, lastOutcome: 'attempt_unknown' })
    expect(state([scheduled, unknown, released])).toMatchObject({
      status: 'retry',
      attempt: 1,
      attemptsTotal: 1,
      dueMs: 40,
      lastOutcome: 'attempt_unknown',
    })
    expect(state([scheduled, row('attempt_released', { attempt: 1, dueMs: 5 })])).toMatchObject({
      status: 'pending',
      attempt: 0,
      dueMs: 5,
    })
  })

  test('a replay opens a new epoch that counts from 1 and stays replay until its first attempt has ended', () => {
    const dead = [scheduled, failed(1), failed(2), failed(3), failed(4), failed(5), failed(6, null), exhausted]
    const asked = row('replay_requested', { epoch: 2, dueMs: 50 })
    expect(state([...dead, asked])).toMatchObject({
      status: 'replay',
      epoch: 2,
      attempt: 0,
      attemptsTotal: 6,
      deadReason: null,
      dueMs: 50,
    })
    const released = row('attempt_released', { epoch: 2, attempt: 1, dueMs: 60 })
    expect(state([...dead, asked, released])).toMatchObject({ status: 'replay', attempt: 0 })
    expect(state([...dead, asked, { ...failed(1), epoch: 2 }])).toMatchObject({
      status: 'retry',
      epoch: 2,
      attempt: 1,
      attemptsTotal: 7,
    })
  })

  test('disabling or deleting ends what is open, with the reason', () => {
    for (const deadReason of ['subscription_disabled', 'subscription_deleted'] as const) {
      expect(state([scheduled, failed(1), row('ended', { attempt: 1, deadReason })])).toMatchObject({
        status: 'dead',
        attempt: 1,
        deadReason,
        dueMs: null,
      })
    }
  })

  test('Retry is allowed from dead, delivered and retry only', () => {
    expect(deliveryStatuses.filter(mayReplay)).toEqual(['retry', 'delivered', 'dead'])
  })

  test('a log that cannot have been written is refused', () => {
    expect(() => state([])).toThrow(ImpossibleLog)
    expect(() => state([failed(1)])).toThrow(ImpossibleLog)
    expect(() => state([scheduled, scheduled])).toThrow(ImpossibleLog)
    expect(() => state([scheduled, row('attempt_succeeded', { attempt: 1 }), failed(2)])).toThrow(ImpossibleLog)
    expect(() => state([scheduled, exhausted])).toThrow(ImpossibleLog)
  })

  test.each(['delivered', 'dead'] as const)('I6: %s is left by a replay alone, which opens an epoch', (status) => {
    const ended = row('ended', { attempt: 0, deadReason: 'subscription_deleted' })
    const closed = [scheduled, status === 'dead' ? ended : row('attempt_succeeded', { attempt: 1 })]
    expect(state(closed)).toMatchObject({ status, epoch: 1 })
    const attempt = status === 'dead' ? 0 : 1
    for (const kind of deliveryLogKinds) {
      if (kind === 'replay_requested') continue
      for (const epoch of [1, 2])
        for (const number of [0, attempt, attempt + 1])
          expect(() => state([...closed, row(kind, { epoch, attempt: number })])).toThrow(ImpossibleLog)
    }
    const replayed = row('replay_requested', { epoch: 2, attempt: 0 })
    expect(state([...closed, replayed])).toMatchObject({ status: 'replay', epoch: 2, attempt: 0 })
  })

  test('any walk along the table folds to the status that the table says, and a longer log folds from where it stood', () => {
    const walk = fc.array(fc.nat(), { maxLength: 40 }).map((choices) => {
      const rows: LogRow[] = [scheduled]
      let status: (typeof deliveryStatuses)[number] = 'pending'
      let [epoch, attempt] = [1, 0]
      for (const choice of choices) {
        const open = deliveryLogKinds.filter((kind) => transitions[status][kind] !== undefined)
        const kind = open[choice % open.length]
        if (kind === undefined) break
        if (kind === 'replay_requested') {
          epoch += 1
          attempt = 0
        }
        const number = kind.startsWith('attempt_') ? attempt + 1 : attempt
        if (kind.startsWith('attempt_') && kind !== 'attempt_released') attempt += 1
        rows.push(row(kind, { epoch, attempt: number, deadReason: kind === 'exhausted' ? 'attempts_exhausted' : null }))
        status = transitions[status][kind] ?? status
      }
      return { rows, status, epoch, attempt }
    })
    fc.assert(
      fc.property(walk, ({ rows, status, epoch, attempt }) => {
        expect(state(rows)).toMatchObject({ status, epoch, attempt, seq: rows.length })
        expect(state(rows).attemptsTotal).toBe(rows.filter((r) => /^attempt_(?!released)/.test(r.kind)).length)
      }),
    )
  })
})
