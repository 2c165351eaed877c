// Decides which subscriptions of a workspace get an event: event patterns, and the loop rule of domain.md 5.
// It is an index over one version of the workspace's subscriptions; who uses it checks that the version is still the present one.

import { matchesEventPattern } from '@wds/contracts/event-types'

/** What matching needs of a subscription that is enabled. */
export interface Matchable {
  readonly subscriptionId: string
  readonly events: readonly string[]
}

/** The index of one workspace at one version. */
export interface MatchIndex {
  /** Ids of the subscriptions that want the event. `about`: the subscription that a `webhook.*` event speaks of, else null. */
  match(type: string, about: string | null): readonly string[]
}

/** More types than the catalog has are not remembered, whatever names come in. */
const typesMax = 512

/** True when one of the subscription's patterns means the type. */
export const wantsEvent = (subscription: Matchable, type: string): boolean =>
  subscription.events.some((pattern) => matchesEventPattern(pattern, type))

/** Makes the index; each type is matched once. */
export function createMatchIndex(subscriptions: readonly Matchable[]): MatchIndex {
  const byType = new Map<string, readonly string[]>()
  const idsOf = (type: string): readonly string[] => {
    const known = byType.get(type)
    if (known !== undefined) return known
    const ids = subscriptions
      .filter((subscription) => wantsEvent(subscription, type))
      .map(({ subscriptionId }) => subscriptionId)
    if (byType.size < typesMax) byType.set(type, ids)
    return ids
  }
  return {
    match: (type, about) => (about === null ? idsOf(type) : idsOf(type).filter((id) => id !== about)),
  }
}

/** The subscription that an event speaks of and must never go to, from its type and data (domain.md 5, Loop rule). */
export function aboutOf(type: string, data: unknown): string | null {
  if (!type.startsWith('webhook.') || typeof data !== 'object' || data === null || !('webhook_id' in data)) return null
  return typeof data.webhook_id === 'string' ? data.webhook_id : null
}
