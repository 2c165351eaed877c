// Which sources a selection is looked for in, and which events are too old.
import { expect, test } from '@jest/globals'
import { edgeId } from '@wds/contracts/ids'
import { firstPlace, isExpired, type PeriodStatus, placeBehind, replayableSinceMs, sourcesOf } from './selection.ts'

const period = (...status: PeriodStatus[]) => ({ scope: 'period', since: '', until: '', status, types: ['*'] }) as const

test.each([
  [period('dead'), ['dead']],
  [period('dead', 'missing'), ['dead', 'events']],
  [period('missing'), ['events']],
  [period('dead', 'retry', 'missing'), ['history', 'events']],
  [period('delivered'), ['history']],
  [{ scope: 'deliveries', delivery_ids: ['dlv_1'] } as const, ['named']],
  [
    {
      scope: 'dead_letters',
      since: '',
      until: '',
      type: null,
      reason: null,
      error_code: null,
      status_class: null,
    } as const,
    ['dead'],
  ],
])('%j is looked for in %j, one after the other', (selection, sources) => {
  const mutable = structuredClone(selection) as Parameters<typeof sourcesOf>[0]
  expect(sourcesOf(mutable)).toEqual(sources)
  expect(firstPlace(mutable)).toEqual({ source: sources[0], after: '' })
  const walked = sourcesOf(mutable).map((source) => placeBehind(mutable, source)?.source ?? null)
  expect(walked).toEqual([...sources.slice(1), null])
})

test('events of today and of the 29 days before can be replayed', () => {
  const nowMs = Date.parse('2026-11-23T03:00:00Z')
  expect(new Date(replayableSinceMs(nowMs)).toISOString()).toBe('2026-10-25T00:00:00.000Z')
  const of = (instant: string) => isExpired(edgeId('evt', Date.parse(instant), 'last'), nowMs)
  expect([of('2026-10-25T00:00:00.000Z'), of('2026-10-24T23:59:59.999Z')]).toEqual([false, true])
})
