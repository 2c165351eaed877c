// Decides how an event type is declared: its fields in the short notation of the event catalog (domain.md 5).
// It must never hold an event type itself: those stand in the files beside this one.
import type { Scope } from '../scopes.ts'

/**
 * Notation of a field: `id int` (id with prefix), `slug`, `str`, `str user|rule` (code; the list is open, clients accept
 * unknown values), `closed success|failed` (no other value, ever), `int`, `count` (integer from 0), `num`, `bool`,
 * `date`, `month`, `ts` (instant), `zone`, `cur`; `[…]` is a list; a final `?` says that it may be null.
 */
type FieldNotation = string

/** A value of an event's data: a scalar or a short list of strings. */
export type FieldValue = string | number | boolean | null | readonly string[]

/** One event type as declared. */
export interface EventDeclaration {
  /** One sentence for the catalog. */
  readonly meaning: string
  /** Fields of `data` in their order; all are always present. */
  readonly data: Readonly<Record<string, FieldNotation>>
  /** Uniqueness key: at most one event per key in the log. */
  readonly oncePer: string
  /** What `strict_event_scopes` asks for besides `webhooks:manage`; all of them (settled-points.md 20). */
  readonly readScope: readonly Scope[]
  /** How often a workspace sees it: `low` some a day, `medium` some an hour, `high` more. */
  readonly volume: 'low' | 'medium' | 'high'
  /** Day on which it came to be, `YYYY-MM-DD`; without it that of the first ones (a test refuses this of a type that no release had). */
  readonly since?: string
  /** `beta`: nothing emits it yet, so it may change; without it the type is stable (domain.md 5). */
  readonly stability?: 'beta' | 'deprecated'
  /** Values of the example where the usual ones (`field-examples.ts`) do not fit. */
  readonly example?: Readonly<Record<string, FieldValue>>
}
