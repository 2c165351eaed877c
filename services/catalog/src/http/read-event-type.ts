// GET /v1/event-types/{type} and its schema and example: one entry of the catalog, whole or in part.
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { type CatalogEntry, findEntry } from '../domain/catalog-entry.ts'
import { publicAnswer } from './public-answer.ts'

/** The whole entry. */
export async function readEventType(request: ApiRequest): Promise<ApiAnswer> {
  return publicAnswer(entryOf(request))
}

/** The published JSON Schema alone, so that a validator can be pointed at its address. */
export async function readEventTypeSchema(request: ApiRequest): Promise<ApiAnswer> {
  return publicAnswer(entryOf(request).schema)
}

/** The example alone: an envelope as it is delivered. */
export async function readEventTypeExample(request: ApiRequest): Promise<ApiAnswer> {
  return publicAnswer(entryOf(request).example)
}

function entryOf(request: ApiRequest): CatalogEntry {
  const entry = findEntry(request.params.type ?? '')
  if (entry === null) throw new Problem('not_found')
  return entry
}
