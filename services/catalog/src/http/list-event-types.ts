// GET /v1/event-types: the event types in the order of the catalog, without schemas and examples.
import { type Cursors, page } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { type CatalogFilters, catalogPage } from '../domain/catalog-page.ts'
import { publicAnswer } from './public-answer.ts'

const route = '/v1/event-types'

interface ListQuery extends CatalogFilters {
  cursor?: string
  limit: number
}

/** Answers a page. The query is what openapi.yaml lets through. */
export async function listEventTypes(request: ApiRequest, cursors: Cursors): Promise<ApiAnswer> {
  const { cursor, limit, ...filters } = request.query as unknown as ListQuery
  const binding = { workspaceId: '', route, filters }
  const [after] = cursor === undefined ? [null] : cursors.decode(cursor, binding)
  const rows = catalogPage(filters, after === null ? null : String(after), limit + 1)
  if (rows === null) throw new Problem('invalid_cursor')
  return publicAnswer(page(rows, limit, ({ type }) => cursors.encode({ ...binding, position: [type] })))
}
