// GET and PATCH /v1/brands (domain.md 3.1). A brand comes into being with the first integration that names its slug, never here.

import type { Loaded } from '@wds/aggregate/aggregate'
import { type Listed, list } from '@wds/aggregate/list'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { answerOf, commonFields, loadOr404 } from '@wds/aggregate/resource'
import { isCurrency } from '@wds/contracts/currencies'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { isSameJson } from '@wds/decider/same-json'
import { hasScope, insufficientScope } from '@wds/http-service/bearer'
import { requireMatch } from '@wds/http-service/conditional'
import { problemOfFaults } from '@wds/http-service/problem'
import type { Handle, RequestClient, RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { Brand, operations, paths } from '../openapi.generated.ts'
import { partyFaults, wholeParty } from '../parties/domain/party.ts'
import { type BrandFields, lockBrand, updateBrand } from './store-brands.ts'

interface BrandState extends BrandFields {
  status: 'known'
}

/** Its company is for who reads invoices. */
const brandsFor = (client: RequestClient): Listed<BrandState, Brand> => ({
  path: '/v1/brands',
  table: 'brand_rows',
  idColumn: 'slug',
  decider: { initialState: { status: 'known', name: '', vertical: '', default_currency: null, legal: null } },
  filters: {},
  toApi: (rows) => rows.map((row) => toApiBrand(row, { withLegal: hasScope(client, 'invoices:read') })),
})

function toApiBrand(loaded: Loaded<BrandState>, { withLegal }: { withLegal: boolean }): Brand {
  const { id: slug, ...common } = commonFields('brand', loaded)
  const { name, vertical, default_currency, legal } = loaded.state
  return withoutUndefined({ ...common, slug, name, vertical, default_currency, legal: withLegal ? legal : undefined })
}

const read: Handle<operations['readBrand']> = (request) => {
  const brands = brandsFor(request.client)
  return request.read(async (tx) => answerOf(tx, brands, await loadOr404(tx, brands, request.params.slug)))
}

const change: Handle<operations['changeBrand']> = (request) => {
  const { slug } = request.params
  const brands = brandsFor(request.client)
  return request.write(async (tx) => {
    await lockBrand(tx, slug)
    const found = await loadOr404(tx, brands, slug)
    requireMatch(request, found.version)
    const { status: _status, ...before } = found.state
    const { legal, ...rest } = mergePatch(before, request.body, {
      vertical: 'other',
      default_currency: null,
      legal: null,
    })
    if (legal !== undefined && !hasScope(request.client, 'invoices:write')) throw insufficientScope(['invoices:write'])
    const after = {
      ...before,
      ...rest,
      legal: legal === undefined ? before.legal : legal && wholeParty(legal),
    }
    const faults = brandFaults(after)
    if (faults.length > 0) throw problemOfFaults(faults)
    if (!isSameJson(before, after)) await updateBrand(tx, { slug, ...after })
    return answerOf(tx, brands, await loadOr404(tx, brands, slug))
  })
}

function brandFaults({ default_currency: currency, legal }: BrandFields) {
  const ofLegal = legal === null ? [] : partyFaults('/legal', legal)
  if (currency === null || isCurrency(currency)) return ofLegal
  const detail = 'The currency is not in ISO 4217.'
  return [{ pointer: '/default_currency', code: 'unknown_currency', detail } as const, ...ofLegal]
}

export const brandRoutes = ({ cursors }: ApiDependencies): RouteOf<paths>[] => [
  {
    method: 'GET',
    path: '/v1/brands',
    scope: 'stats:read',
    handle: (request) => list(request, brandsFor(request.client), { cursors }),
  },
  { method: 'GET', path: '/v1/brands/{slug}', scope: 'stats:read', handle: read },
  { method: 'PATCH', path: '/v1/brands/{slug}', scope: 'integrations:write', handle: change },
]
