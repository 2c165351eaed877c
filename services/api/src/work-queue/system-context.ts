// In whose name the service itself acts: nobody asked for it but the clock, or somebody whom no token names.

import { newId } from '@wds/aggregate/new-id'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { AppendContext } from '@wds/event-store/event-store'
import { startSpan } from '@wds/telemetry/spans'

/** The beginning of a trace. `actor`: id of the part of the service; `span`: name of what it does; `causation`: id of what made it so. */
export function systemContext(o: {
  workspaceId: string
  nowMs: number
  actor: string
  span: string
  causation?: string
}): AppendContext {
  const { workspaceId, nowMs, causation } = o
  const span = startSpan({ name: o.span, kind: 'internal' })
  span.end()
  return withoutUndefined({
    workspaceId,
    actor: { type: 'system', id: o.actor },
    correlation: newId('req', nowMs),
    causation,
    trace: { traceparent: span.traceparent },
  })
}
