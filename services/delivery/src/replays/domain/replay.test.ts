// The life of a bulk replay: every pair of state and action, progress, and the rate.
import { describe, expect, test } from '@jest/globals'
import { replayStatuses } from '@wds/contracts/states'
import { fold } from '@wds/decider/decider'
import { given } from '@wds/decider/given-when-then'
import {
  batchSize,
  openEpochs,
  type ReplayCommand,
  type ReplayEvent,
  type ReplayOrder,
  replayDecider,
  replayMachine,
} from './replay.ts'

const order: ReplayOrder = {
  webhook_id: 'whk_1',
  rate: 100,
  matched: 10,
  requested_by: 'api_key:key_1',
  selection: { scope: 'period', since: '', until: '', status: ['dead', 'missing'], types: ['*'] },
}
const place = { source: 'dead', after: 'dlv_1' } as const
const requested: ReplayEvent = { type: 'ReplayRequested', data: { at_ms: 1_000, order } }
const advanced = (o: { opened?: number; skipped?: number } = {}): ReplayEvent => ({
  type: 'ReplayAdvanced',
  data: { at_ms: 2_000, next_ms: 2_500, opened: 5, skipped: 0, place, ...o },
})
const completed: ReplayEvent = { type: 'ReplayCompleted', data: { at_ms: 3_000 } }
const ended = (type: 'ReplayPaused' | 'ReplayResumed' | 'ReplayCanceled'): ReplayEvent => ({
  type,
  data: { at_ms: 3_000 },
})

const histories: Record<keyof typeof replayMachine, ReplayEvent[]> = {
  none: [],
  queued: [requested],
  running: [requested, advanced()],
  paused: [requested, ended('ReplayPaused')],
  completed: [requested, advanced(), completed],
  canceled: [requested, ended('ReplayCanceled')],
  failed: [requested, { type: 'ReplayFailed', data: { at_ms: 3_000, reason: 'subscription_disabled' } }],
}
const atMs = 4_000
const commands: Record<string, ReplayCommand> = {
  request: { type: 'request', atMs, order },
  advance: { type: 'advance', atMs, opened: 1, skipped: 1, place },
  fail: { type: 'fail', atMs, reason: 'subscription_deleted' },
  pause: { type: 'pause', atMs },
  resume: { type: 'resume', atMs },
  cancel: { type: 'cancel', atMs },
}
const after = (...events: ReplayEvent[]) => fold(replayDecider, events)

describe('the machine', () => {
  test.each(Object.keys(histories) as (keyof typeof replayMachine)[])('C23: every action of %s', (status) => {
    expect(after(...histories[status]).status).toBe(status)
    const allowed: readonly string[] = replayMachine[status]
    for (const [action, command] of Object.entries(commands)) {
      const decision = replayDecider.decide(after(...histories[status]), command)
      expect([action, decision.accepted]).toEqual([action, allowed.includes(action)])
      if (!decision.accepted) {
        const offered = allowed.filter((name) => ['pause', 'resume', 'cancel'].includes(name))
        expect(decision.rejection).toEqual({ code: 'invalid_state', current_status: status, allowed: offered })
      }
    }
  })

  test('has the states of the API', () => {
    expect(Object.keys(replayMachine).sort()).toEqual(['none', ...replayStatuses].sort())
  })

  test('one that is resumed is queued again, or running once it has begun, and may open at once', () => {
    expect(after(...histories.paused, ended('ReplayResumed'))).toMatchObject({ status: 'queued', next_ms: 3_000 })
    const running = after(requested, advanced(), ended('ReplayPaused'), ended('ReplayResumed'))
    expect(running).toMatchObject({ status: 'running', place, opened: 5 })
  })
})

describe('progress', () => {
  test('it begins with the first batch and ends with the one behind which nothing is left', () => {
    given(replayDecider, [requested])
      .when({ type: 'advance', atMs, opened: 3, skipped: 1, place: null })
      .then([
        { type: 'ReplayAdvanced', data: { at_ms: atMs, next_ms: 3_040, opened: 3, skipped: 1, place: null } },
        { type: 'ReplayCompleted', data: { at_ms: atMs } },
      ])
    expect(after(requested, advanced(), advanced())).toMatchObject({ started_ms: 2_000, finished_ms: null })
  })

  test('once completed, matched is opened and skipped together, whatever changed since it was asked for', () => {
    // 10 matched; 4 of them were retried by hand or delivered meanwhile.
    expect(after(requested, advanced({ skipped: 1 }), completed)).toMatchObject({ matched: 10, opened: 5, skipped: 5 })
    // More died meanwhile.
    const more = after(requested, advanced(), advanced({ opened: 7 }), completed)
    expect(more).toMatchObject({ matched: 12, opened: 12, skipped: 0 })
    const uncounted: ReplayEvent = { type: 'ReplayRequested', data: { at_ms: 1, order: { ...order, matched: null } } }
    expect(after(uncounted, advanced())).toMatchObject({ matched: null })
    expect(after(uncounted, advanced(), completed)).toMatchObject({ matched: 5, skipped: 0 })
  })

  test('outcomes are counted in every state, and nothing is written where there are none', () => {
    const outcomes = { delivered: 2, dead: 1, superseded: 1 }
    for (const history of Object.values(histories).slice(1)) {
      const decision = replayDecider.decide(after(...history), { type: 'count', outcomes })
      expect(decision).toEqual({ accepted: true, events: [{ type: 'ReplayOutcomesCounted', data: outcomes }] })
    }
    given(replayDecider, [requested])
      .when({ type: 'count', outcomes: { delivered: 0, dead: 0, superseded: 0 } })
      .then([])
    const counted = after(requested, advanced(), { type: 'ReplayOutcomesCounted', data: outcomes })
    expect([counted.status, openEpochs(counted)]).toEqual(['running', 1])
  })
})

describe('the rate', () => {
  const nextMs = (o: { nowMs: number; rows: number }) => {
    const command: ReplayCommand = { type: 'advance', atMs: o.nowMs, opened: o.rows, skipped: 0, place }
    const decision = replayDecider.decide(after(requested), command)
    return decision.accepted ? after(requested, ...decision.events).next_ms : null
  }

  test('a batch makes the next one wait as long as its rows take', () => {
    expect(nextMs({ nowMs: 1_000, rows: 50 })).toBe(1_500)
    expect(nextMs({ nowMs: 1_000, rows: 0 })).toBe(1_000)
  })

  test('a worker that comes late makes up for a second at most', () => {
    expect(nextMs({ nowMs: 61_000, rows: 50 })).toBe(60_500)
  })

  test('a batch is half a second of the rate, 250 rows at most', () => {
    expect([1, 2, 3, 500, 1_000].map((rate) => batchSize({ ...order, rate }))).toEqual([1, 1, 2, 250, 250])
  })
})
