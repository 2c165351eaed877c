// Hands spans to an exporter after taking out what must not leave the process (security.md 3): secrets by pattern in every
// attribute, and the query of a URL altogether, since it may hold what nobody can recognise.

import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import { isSensitiveName, mask, redactText } from '../redaction.ts'

/** Never exported. `url.path` stays, redacted: tokens in paths have their pattern. */
const dropped = new Set(['url.query', 'http.target', 'http.url'])

/** Wraps an exporter. The spans it is given have ended: nobody else reads them afterwards. */
export function redacting(exporter: SpanExporter): SpanExporter {
  return {
    export(spans, done) {
      for (const span of spans) redactSpan(span)
      exporter.export(spans, done)
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function redactSpan(span: ReadableSpan): void {
  redactAttributes(span.attributes)
  for (const event of span.events) if (event.attributes) redactAttributes(event.attributes)
  for (const link of span.links) if (link.attributes) redactAttributes(link.attributes)
  if (span.status.message !== undefined) span.status.message = redactText(span.status.message)
}

function redactAttributes(attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (dropped.has(name)) delete attributes[name]
    else if (isSensitiveName(name.slice(name.lastIndexOf('.') + 1)) && typeof value !== 'boolean')
      attributes[name] = mask
    else if (typeof value === 'string') attributes[name] = redactText(value)
    else if (Array.isArray(value))
      attributes[name] = value.map((item) => (typeof item === 'string' ? redactText(item) : item)) as string[]
  }
}
