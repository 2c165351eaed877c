// That others are slow is no fault of the loop that reads from them.
import { expect, test } from '@jest/globals'
import type { FeedAnswer } from '@wds/outbound/feed-client'
import { createProgress } from '@wds/telemetry/progress'
import { feedLimits } from './domain/ingest-limits.ts'
import { feedPages } from './pull-feed.ts'

test('a loop that waits for the answer of a source is not stuck', async () => {
  let aheadMs = 0
  const progress = createProgress({ nowMs: () => aheadMs })
  const answered = Promise.withResolvers<FeedAnswer>()
  const pages = feedPages({
    client: { get: () => answered.promise, checkAtSave: () => Promise.reject(), close: async () => undefined },
    signal: new AbortController().signal,
    workspaceId: 'wsp_x',
    settings: { url: 'https://reports.example.com/daily.csv' },
    credentials: null,
    window: { from: '2026-01-01', to: '2026-01-01' },
    zone: 'UTC',
    limits: feedLimits,
  })
  const turn = progress.loop('sync-feeds').turn(() => pages.next())
  aheadMs = 61_000
  expect(progress.stuck()).toEqual([])
  answered.resolve({ status: 204, header: () => null, body: (async function* () {})(), close: () => undefined })
  expect(await turn).toEqual({ done: true, value: undefined })
})
