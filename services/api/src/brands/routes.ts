// GET and PATCH /v1/brands (domain.md 3.1). A brand comes into being with the first integration that names its slug, never here.
import type { Loaded } from '@wds/aggregate/aggregate'
import { type Listed, list } from '@wds/aggregate/list'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { answerOf, commonFields, loadOr404 } from '@wds/aggregate/resource'
import { isCurrency } from '@wds/contracts/currencies'
import { requireMatch } from '@wds/http-service/conditional'
import { problemOfFaults } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { ApiDependencies } from '../dependencies.ts'
import type { Brand, operations, paths } from '../openapi.generated.ts'
import { type BrandFields, lockBrand, updateBrand } from './store-brands.ts'

interface BrandState extends BrandFields {
  status: 'known'
}

const brands: Listed<BrandState, Brand> = {
  path: '/v1/brands',
  table: 'brand_rows',
  idColumn: 'slug',
  decider: { initialState: { status: 'known', name: '', vertical: '', default_currency: null } },
  filters: {},
  toApi: (rows) => rows.map(toApiBrand),
}

function toApiBrand(loaded: Loaded<BrandState>): Brand {
  const { id: slug, ...common } = commonFields('brand', loaded)
  const { name, vertical, default_currency } = loaded.state
  return { ...common, slug, name, vertical, default_currency }
}

const read: Handle<operations['readBrand']> = (request) =>
  request.read(async (tx) => answerOf(tx, brands, await loadOr404(tx, brands, request.params.slug)))

const change: Handle<operations['changeBrand']> = (request) => {
  const { slug } = request.params
  return request.write(async (tx) => {
    await lockBrand(tx, slug)
    const found = await loadOr404(tx, brands, slug)
    requireMatch(request, found.version)
    const { status: _status, ...before } = found.state
    const after = { ...before, ...mergePatch(before, request.body, { vertical: 'other', default_currency: null }) }
    refuseUnknownCurrency(after)
    const differs = (Object.keys(before) as (keyof BrandFields)[]).some((name) => after[name] !== before[name])
    if (differs) await updateBrand(tx, { slug, ...after })
    return answerOf(tx, brands, await loadOr404(tx, brands, slug))
  })
}

function refuseUnknownCurrency({ default_currency: currency }: BrandFields): void {
  if (currency === null || isCurrency(currency)) return
  const detail = 'The currency is not in ISO 4217.'
  throw problemOfFaults([{ pointer: '/default_currency', code: 'unknown_currency', detail }])
}

export const brandRoutes = ({ cursors }: ApiDependencies): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/brands', scope: 'stats:read', handle: (request) => list(request, brands, { cursors }) },
  { method: 'GET', path: '/v1/brands/{slug}', scope: 'stats:read', handle: read },
  { method: 'PATCH', path: '/v1/brands/{slug}', scope: 'integrations:write', handle: change },
]
