// What the engine changes in a workspace on its own account, asked for by nobody: who is named as the actor, and the trace that begins with it.
import { newId } from '@wds/aggregate/new-id'
import type { AppendContext } from '@wds/event-store/event-store'
import { startSpan } from '@wds/telemetry/spans'

/** Begins a span of this name; the caller ends it. `causation`: the event that the change follows. */
export function beginOwnChange(
  name: string,
  cause: Pick<AppendContext, 'workspaceId' | 'causation'>,
): { context: AppendContext; end(): void } {
  const span = startSpan({ name, kind: 'internal' })
  const context: AppendContext = {
    ...cause,
    actor: { type: 'system', id: 'delivery' },
    correlation: newId('req', Date.now()),
    trace: { traceparent: span.traceparent },
  }
  return { context, end: () => span.end() }
}
