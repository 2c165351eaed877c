// GET /v1/event-types: the event types in the order of the catalog, without schemas and examples.
import { type Cursors, page } from '@wds/http-service/cursor'
import { Problem } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { operations } from '../openapi.generated.ts'
import { catalogPage } from './domain/catalog-page.ts'
import { publicAnswer } from './public-answer.ts'

const route = '/v1/event-types'

/** Answers a page. */
export async function listEventTypes(request: ApiRequest<operations['listEventTypes']>, cursors: Cursors) {
  const { cursor, limit, ...filters } = request.query
  const binding = { workspaceId: '', route, filters }
  const [after] = cursor === undefined ? [null] : cursors.decode(cursor, binding)
  const rows = catalogPage(filters, after === null ? null : String(after), limit + 1)
  if (rows === null) throw new Problem('invalid_cursor')
  return publicAnswer(page(rows, limit, ({ type }) => cursors.encode({ ...binding, position: [type] })))
}
