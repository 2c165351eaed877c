// Tells whoever watches the process what matters to its safety, under stable names (security.md 3). It carries ids alone: addresses and agents
// are the audit log's. Refusals of a role, a scope, a quota or a forged request are the `code` of the request's own line.
import { channel } from 'node:diagnostics_channel'
import type { Logger } from '@wds/telemetry/logger'

export interface SecurityEvent {
  /** An action of the audit log, with `_failed` where it was refused; or one of those that have no entry there. */
  security_event: string
  /** `user:usr_…`; null: nobody knows who. */
  actor: string | null
  object: string | null
  workspace_id: string | null
  request_id: string
}

const events = channel('wds.auth.security-event')

export function reportSecurityEvent(event: SecurityEvent): void {
  events.publish(event)
}

/** What has no entry in an audit log, since it belongs to no workspace. */
export function reportRefusal(
  security_event:
    | 'sign_in_failed'
    | 'sign_in_throttled'
    | 'client_authentication_failed'
    | 'client_authentication_throttled',
  o: { object?: string; requestId: string },
): void {
  const { object = null, requestId: request_id } = o
  reportSecurityEvent({ security_event, actor: null, object, workspace_id: null, request_id })
}

/** Writes a line for each, until the returned function is called. */
export function logSecurityEvents(logger: Logger): () => void {
  const write = (event: unknown) => logger.info(event as SecurityEvent, 'security event')
  events.subscribe(write)
  return () => void events.unsubscribe(write)
}
