// GET of integrations: one and the list (domain.md 3.2).
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { IntegrationState } from '../domain/integration.ts'
import { integrationKind } from '../store/kinds.ts'
import { toApiIntegration } from './api-shapes.ts'
import { type ApiDependencies, equalsFilters, listPage, loadOr404 } from './operations.ts'

export async function readIntegration(request: ApiRequest): Promise<ApiAnswer> {
  const id = request.params.id ?? ''
  const loaded = await request.read((tx) =>
    loadOr404<IntegrationState>(tx, request, integrationKind, { id, lock: false }),
  )
  return { status: 200, body: toApiIntegration(loaded), version: loaded.version }
}

export function listIntegrations(request: ApiRequest, { cursors }: ApiDependencies): Promise<ApiAnswer> {
  const columns = { status: 'status', provider: 'provider', brand: 'brand_slug', tag: 'tags' }
  const equals = equalsFilters(request.query, columns)
  const query = { table: 'integrations', equals, withoutStatus: 'deleted' } as const
  return listPage<IntegrationState>(request, {
    cursors,
    route: 'integrations',
    query,
    toApi: (_tx, _request, rows) => rows.map(toApiIntegration),
  })
}
