// Decides which event types may be sent to, or read by, whom in a workspace with `strict_event_scopes`: the read scopes of the type are
// needed besides webhooks:manage, all of them (settled-points.md 20). A type that is not known here needs what nobody has.
import { eventTypes, matchesEventPattern } from '@wds/contracts/event-types'
import type { Scope } from '@wds/contracts/scopes'

const readScopes = new Map<string, readonly Scope[]>(eventTypes.map(({ type, readScope }) => [type, readScope]))

/** Whether these scopes open the type. */
export function mayReadEvent(type: string, scopes: ReadonlySet<Scope>): boolean {
  return readScopes.get(type)?.every((scope) => scopes.has(scope)) ?? false
}

/** The read scopes of every type that the patterns mean, those that are not held. */
export function missingReadScopes(patterns: readonly string[], held: ReadonlySet<Scope>): Scope[] {
  const wanted = eventTypes.filter(({ type }) => patterns.some((pattern) => matchesEventPattern(pattern, type)))
  return [...new Set(wanted.flatMap(({ readScope }) => readScope))].filter((scope) => !held.has(scope))
}

/** The types that the patterns mean and these scopes do not open, in the order of the catalog. */
export function typesWithoutScope(patterns: readonly string[], held: ReadonlySet<Scope>): string[] {
  return eventTypes
    .map(({ type }) => type)
    .filter((type) => patterns.some((pattern) => matchesEventPattern(pattern, type)) && !mayReadEvent(type, held))
}
