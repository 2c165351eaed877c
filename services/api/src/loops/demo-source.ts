// Rows of the demo provider as records (domain.md 4.3), as of the run's first start: each attempt yields the same.
import { type DemoSettings, demoRows } from '../domain/demo-generator.ts'
import { demoFailure } from '../domain/integration-form.ts'
import { sha256 } from '../store/sha256.ts'
import { SourceFailure, type SourceRecord } from './source.ts'

export function* demoRecords(o: {
  settings: DemoSettings
  window: { from: string; to: string }
  zone: string
  currency: string
  asOfMs: number
  runSeq: number
  attempt: number
}): Generator<SourceRecord> {
  const failure = demoFailure(o.settings, o.runSeq, o.attempt)
  if (failure !== null) throw new SourceFailure(failure)
  let line = 0
  for (const row of demoRows({ ...o, nowMs: o.asOfMs, sha256 })) {
    line += 1
    yield { line, checked: { ok: true, row, warnings: [] } }
  }
}
