// A program as a service is one: makes a span and a metric, then ends telemetry and prints what it saw.

import { counter } from './metrics.ts'
import { scrape } from './scrape.ts'
import { shutDownTelemetry } from './shutdown.ts'
import { startSpan } from './spans.ts'

const span = startSpan({ name: 'work', kind: 'internal', attributes: () => ({ where: 'here' }) })
span.end()
counter({ name: 'wds_test_total', unit: '1', labels: {}, meaning: 'Test.' }).add(1)
const metrics = await scrape()
const { sent } = await shutDownTelemetry(1_000)
console.log(JSON.stringify({ traceparent: span.traceparent, isRecorded: span.isRecorded, metrics, sent }))
process.exit(0)
