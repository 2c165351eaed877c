// Which libraries are instrumented: all that the package knows and a process loads, without those that harm. Others are taken out
// by OTEL_NODE_DISABLED_INSTRUMENTATIONS; those that harm stay off whatever OTEL_NODE_ENABLED_INSTRUMENTATIONS says.

import { getNodeAutoInstrumentations } from '@opentelemetry/auto-instrumentations-node'
import type { Instrumentation } from '@opentelemetry/instrumentation'
import { ExpressLayerType } from '@opentelemetry/instrumentation-express'

/** Paths of probes and scrapes, and of what each service asks auth every second: thousands of spans that say nothing. */
const unwatched = new Set(['/livez', '/readyz', '/metrics', '/healthz', '/internal/unpublished'])

const off = { enabled: false }

/** Makes the instrumentations: from now on the modules that they know are changed as they are loaded. */
export function createInstrumentations(): Instrumentation[] {
  return getNodeAutoInstrumentations({
    '@opentelemetry/instrumentation-http': {
      // Calls to subscribers get their headers by hand and nothing else.
      disableOutgoingRequestInstrumentation: true,
      ignoreIncomingRequestHook: (request) => unwatched.has((request.url ?? '').split('?', 1)[0] ?? ''),
    },
    '@opentelemetry/instrumentation-express': {
      ignoreLayersType: [ExpressLayerType.MIDDLEWARE, ExpressLayerType.REQUEST_HANDLER],
    },
    '@opentelemetry/instrumentation-pg': { requireParentSpan: true, ignoreConnectSpans: true },
    // A second span for each attempt, and a second `traceparent` in calls to subscribers, which makes both invalid.
    '@opentelemetry/instrumentation-undici': off,
    // Records sent and processed a second time, in traces of their own.
    '@opentelemetry/instrumentation-kafkajs': off,
    // Six more spans for each request, none of which says more.
    '@opentelemetry/instrumentation-router': off,
    // A trace of its own for each file, connection and look-up, some 2,600 of them while a service starts.
    '@opentelemetry/instrumentation-fs': off,
    '@opentelemetry/instrumentation-net': off,
    '@opentelemetry/instrumentation-dns': off,
    // Log lines have their trace id already, and `observeProcess` measures the event loop.
    '@opentelemetry/instrumentation-pino': off,
    '@opentelemetry/instrumentation-runtime-node': off,
  })
}
