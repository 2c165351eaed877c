// GET /v1/event-types/{type} and its schema and example: one entry of the catalog, whole or in part.
import { Problem } from '@wds/http-service/problem'
import type { Handle } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { type CatalogEntry, findEntry } from './domain/catalog-entry.ts'
import { publicAnswer } from './public-answer.ts'

/** The whole entry. */
export const readEventType: Handle<operations['readEventType']> = async (request) =>
  publicAnswer(entryOf(request.params.type))

/** The published JSON Schema alone, so that a validator can be pointed at its address. */
export const readEventTypeSchema: Handle<operations['readEventTypeSchema']> = async (request) =>
  publicAnswer(entryOf(request.params.type).schema)

/** The example alone: an envelope as it is delivered. */
export const readEventTypeExample: Handle<operations['readEventTypeExample']> = async (request) =>
  publicAnswer(entryOf(request.params.type).example)

function entryOf(type: string): CatalogEntry {
  const entry = findEntry(type)
  if (entry === null) throw new Problem('not_found')
  return entry
}
