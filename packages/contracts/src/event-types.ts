// Decides which event types exist, what the catalog says about each, and which of them a pattern means (settled-points.md 26).
// Names are frozen once published (settled-points.md 27).
import type { EventDeclaration } from './events/declaration.ts'
import { eventDeclarations } from './events/declarations.ts'
import type { Scope } from './scopes.ts'

/** Name of a public event type. */
export type EventType = keyof typeof eventDeclarations

/** What the catalog says about an event type (domain.md 5). */
export interface EventTypeEntry {
  readonly type: EventType
  /** One sentence. */
  readonly meaning: string
  /** Date on which the type was first published, `YYYY-MM-DD`. */
  readonly since: string
  /** `beta`: may still change. `deprecated`: emitted for at least 180 days beside its successor. */
  readonly stability: 'stable' | 'beta' | 'deprecated'
  /** What `strict_event_scopes` asks for besides `webhooks:manage`: all of them; may be empty. */
  readonly readScope: readonly Scope[]
  /** Uniqueness key: at most one event per key. */
  readonly oncePer: string
  /** How often a workspace sees it. */
  readonly volume: 'low' | 'medium' | 'high'
}

/** Of the types that have no day of their own. */
const firstPublished = '2026-11-01'

/** All event types in the order of the catalog. */
export const eventTypes: readonly EventTypeEntry[] = (Object.keys(eventDeclarations) as EventType[]).map(entryOf)

/** Whether the text names an event type. */
export function isEventType(text: string): text is EventType {
  return Object.hasOwn(eventDeclarations, text)
}

/** Whether a subscription may name this: an exact type, `prefix.*` of a known prefix, or `*` (settled-points.md 26). */
export function isEventPattern(text: string): boolean {
  return text === '*' || isEventType(text) || eventTypes.some(({ type }) => text === `${prefixOf(type)}.*`)
}

/** Whether the pattern means the type. The type need not be known, so that a later one is matched too. */
export function matchesEventPattern(pattern: string, type: string): boolean {
  if (pattern === '*' || pattern === type) return true
  return pattern.endsWith('.*') && pattern.length > 2 && type.startsWith(pattern.slice(0, -1))
}

function entryOf(type: EventType): EventTypeEntry {
  const declaration: EventDeclaration = eventDeclarations[type]
  const { meaning, oncePer, readScope, volume, since = firstPublished, stability = 'stable' } = declaration
  return { type, meaning, since, stability, readScope, oncePer, volume }
}

function prefixOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
