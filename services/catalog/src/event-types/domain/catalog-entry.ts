// Decides what the catalog says about an event type: the same words for the API and for the announcement on the log.
// It must never say anything that the declarations in contracts do not say.
import type { Envelope } from '@wds/contracts/envelope'
import { exampleOf, publishedSchemaOf } from '@wds/contracts/event-schemas'
import { type EventType, type EventTypeEntry, eventTypes } from '@wds/contracts/event-types'
import type { EventSchema } from '@wds/contracts/json-schema'

/** An event type without its schema and example, as lists show it (domain.md 5, Catalog entry). */
export interface CatalogSummary {
  object: 'event_type'
  type: EventType
  meaning: string
  /** `YYYY-MM-DD` */
  since: string
  stability: EventTypeEntry['stability']
  read_scope: string[]
  once_per: string
  volume: EventTypeEntry['volume']
}

/** A whole entry. The schema is the published one, open for growth. */
export interface CatalogEntry extends CatalogSummary {
  schema: EventSchema
  example: Envelope
}

/** Every summary in the order of the catalog. */
export const catalogSummaries: readonly CatalogSummary[] = eventTypes.map(toSummary)

/** Every entry in the order of the catalog. */
export const catalogEntries: readonly CatalogEntry[] = catalogSummaries.map((summary) => ({
  ...summary,
  schema: publishedSchemaOf(summary.type),
  example: exampleOf(summary.type),
}))

const entryByType: ReadonlyMap<string, CatalogEntry> = new Map(catalogEntries.map((entry) => [entry.type, entry]))

/** The entry of a type, or null for a name that the catalog does not have. */
export function findEntry(type: string): CatalogEntry | null {
  return entryByType.get(type) ?? null
}

function toSummary(entry: EventTypeEntry): CatalogSummary {
  const { type, meaning, since, stability, readScope, oncePer, volume } = entry
  return {
    object: 'event_type',
    type,
    meaning,
    since,
    stability,
    read_scope: [...readScope],
    once_per: oncePer,
    volume,
  }
}
