// Rows of the demo provider as records (domain.md 4.3), as of the run's first start: each attempt yields the same.
import { hash } from 'node:crypto'
import { judgeCampaign, type RowRules } from './domain/check-row.ts'
import { type DemoSettings, demoFailure, demoRows } from './domain/demo-generator.ts'
import { SourceFailure, type SourceRecord } from './source.ts'

/** The hash function that the domain is handed: SHA-256 of a text in UTF-8. */
export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export function* demoRecords(o: {
  settings: DemoSettings
  window: { from: string; to: string }
  zone: string
  currency: string
  asOfMs: number
  runSeq: number
  attempt: number
  rules: Pick<RowRules, 'onUnknownCampaign' | 'knowsCampaign'>
}): Generator<SourceRecord> {
  const failure = demoFailure(o.settings, o.runSeq, o.attempt)
  if (failure !== null) throw new SourceFailure(failure)
  let line = 0
  for (const row of demoRows({ ...o, nowMs: o.asOfMs, sha256 })) {
    line += 1
    yield { line, checked: judgeCampaign(row, o.rules) }
  }
}
