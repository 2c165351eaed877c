// Decides which subscriptions of a workspace get an event: event patterns, payload filters, read scopes, and the loop rule of domain.md 5.
// It is an index over one version of the workspace's subscriptions; who uses it checks that the version is still the present one.

import { matchesEventPattern } from '@wds/contracts/event-types'
import type { Scope } from '@wds/contracts/scopes'
import { mayReadEvent } from '../../subscriptions/domain/event-scopes.ts'
import { compileFilter, type PayloadFilter } from '../../subscriptions/domain/payload-filter.ts'

/** What matching needs of a subscription that is enabled. */
export interface Matchable {
  readonly subscriptionId: string
  readonly events: readonly string[]
  readonly filter: PayloadFilter | null
  /** Those of its last saver where the workspace has `strict_event_scopes`; null elsewhere: they do not matter. */
  readonly scopes: readonly Scope[] | null
}

/** What matching needs of an event. */
export interface MatchedEvent {
  readonly type: string
  /** The subscription that a `webhook.*` event speaks of, else null. */
  readonly about: string | null
  /** The parsed body, asked for where a filter judges it; undefined where it is no JSON. */
  body(): unknown
}

/** The index of one workspace at one version. */
export interface MatchIndex {
  /** Ids of the subscriptions that want the event. */
  match(event: MatchedEvent): readonly string[]
  /** Whether a filter judges events of the type. */
  needsBody(type: string): boolean
}

/** More types than the catalog has are not remembered, whatever names come in. */
const typesMax = 512

/** True when one of the subscription's patterns means the type, and its scopes open it. */
export const wantsType = (subscription: Matchable, type: string): boolean =>
  subscription.events.some((pattern) => matchesEventPattern(pattern, type)) &&
  (subscription.scopes === null || mayReadEvent(type, new Set(subscription.scopes)))

/** The subscriptions of a type: all of them, and the filters of those that have one. */
interface OfType {
  ids: readonly string[]
  filters: ReadonlyMap<string, (body: unknown) => boolean>
}

/** Makes the index; each type is matched once. */
export function createMatchIndex(subscriptions: readonly Matchable[]): MatchIndex {
  const byType = new Map<string, OfType>()
  const filters = new Map(
    subscriptions.flatMap(({ subscriptionId, filter }) =>
      filter === null ? [] : [[subscriptionId, compileFilter(filter)] as const],
    ),
  )
  const ofType = (type: string): OfType => {
    const known = byType.get(type)
    if (known !== undefined) return known
    const ids = subscriptions
      .filter((subscription) => wantsType(subscription, type))
      .map(({ subscriptionId }) => subscriptionId)
    const found = { ids, filters: new Map([...filters].filter(([id]) => ids.includes(id))) }
    if (byType.size < typesMax) byType.set(type, found)
    return found
  }
  return {
    match({ type, about, body }) {
      const found = ofType(type)
      if (about === null && found.filters.size === 0) return found.ids
      return found.ids.filter((id) => id !== about && (found.filters.get(id)?.(body()) ?? true))
    },
    needsBody: (type) => ofType(type).filters.size > 0,
  }
}

/** The subscription that an event speaks of and must never go to, from its type and data (domain.md 5, Loop rule). */
export function aboutOf(type: string, data: unknown): string | null {
  if (!type.startsWith('webhook.') || typeof data !== 'object' || data === null || !('webhook_id' in data)) return null
  return typeof data.webhook_id === 'string' ? data.webhook_id : null
}
