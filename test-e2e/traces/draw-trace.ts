// Draws the spans of one trace as a tree of lines: for the README of delivery and for messages of tests that fail.
import type { CollectedSpan } from '@wds/telemetry/otlp-collector'

const kinds = ['', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']

/** One line for each span: when it began in ms after the first, how long it took, service, kind, name; children below their parent. */
export function drawTrace(spans: readonly CollectedSpan[]): string {
  const known = new Set(spans.map((span) => span.spanId))
  const beginMs = Math.min(...spans.map((span) => span.startMs))
  const inOrder = [...spans].sort((a, b) => a.startMs - b.startMs)
  const lines: string[] = []
  const draw = (span: CollectedSpan, depth: number): void => {
    const at = (span.startMs - beginMs).toFixed(1).padStart(8)
    const took = (span.endMs - span.startMs).toFixed(1).padStart(7)
    const what = `${'  '.repeat(depth)}${span.name}`
    lines.push(`${at} ${took}  ${span.service.padEnd(8)} ${(kinds[span.kind] ?? '').padEnd(8)} ${what}`)
    for (const child of inOrder) if (child.parentSpanId === span.spanId) draw(child, depth + 1)
  }
  for (const span of inOrder) if (!known.has(span.parentSpanId)) draw(span, 0)
  return ['   at ms took ms  service  kind     name', ...lines].join('\n')
}
