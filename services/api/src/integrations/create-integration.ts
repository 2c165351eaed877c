// POST /v1/integrations: connects a source, with its brand if the slug is new (domain.md 3.1, 3.2).

import { workspaceOf } from '@wds/aggregate/aggregate'
import { create, type MakeCommand } from '@wds/aggregate/resource'
import { minorUnits } from '@wds/contracts/currencies'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { findBrand, insertBrand } from '../brands/store-brands.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { NewIntegration, operations } from '../openapi.generated.ts'
import { isAvailableProvider } from '../providers/domain/providers.ts'
import { changedCredentials } from './changed-credentials.ts'
import type { IntegrationCommand, IntegrationState } from './domain/integration.ts'
import { fieldFaults, normalized, withDefaults } from './domain/integration-form.ts'
import { addressFaults, schemaFaults, storedSettings } from './judge-settings.ts'
import { PostbackAddress } from './postback-address.ts'
import { integrations } from './resource.ts'
import { countIntegrationsLocked } from './store-count.ts'

/** Integrations that a workspace may have (security.md 5). */
const integrationsMax = 200

type NewBrand = NonNullable<NewIntegration['brand']>
type Request = ApiRequest<operations['createIntegration']>

export function createIntegration(request: Request, o: ApiDependencies) {
  const address = new PostbackAddress(o.baseUrl)
  return create(request, integrations, () => commandFor(request, o, address), address)
}

async function commandFor(
  request: Request,
  o: ApiDependencies,
  address: PostbackAddress,
): Promise<MakeCommand<IntegrationState, IntegrationCommand>> {
  const { brand, credentials, ...given } = request.body
  if (!isAvailableProvider(given.provider)) {
    const detail = 'This provider is not available.'
    throw new Problem('provider_not_available', {
      errors: [{ pointer: '/provider', code: 'provider_not_available', detail }],
    })
  }
  const { name, brand_slug, provider } = given
  const settings = given.settings ?? {}
  const malformed = schemaFaults(provider, settings)
  if (malformed.length > 0) throw problemOfFaults(malformed)
  const stored = { ...given, settings: storedSettings(provider, settings) }
  const fields = withDefaults({ ...normalized(stored), name, brand_slug, provider })
  const faults = [...fieldFaults(fields), ...(await addressFaults(settings, o.checkUrl))]
  if (faults.length > 0) throw problemOfFaults(faults)
  return async (tx, { id, nowMs }) => {
    if ((await countIntegrationsLocked(tx, workspaceOf(tx))) >= integrationsMax) throw new Problem('limit_reached')
    await ensureBrand(tx, fields.brand_slug, brand)
    const change = { integrationId: id, fields, given: credentials, nowMs }
    const sealed = await changedCredentials(tx, o.envelope, change)
    const mark = provider === 'postback' ? await address.renew(tx, id, nowMs) : sealed
    return withoutUndefined({ type: 'create', fields, atMs: nowMs, credentials: mark })
  }
}

async function ensureBrand(tx: Transaction, slug: string, given: NewBrand | undefined): Promise<void> {
  const workspaceId = workspaceOf(tx)
  const currency = given?.default_currency
  if (currency && minorUnits(currency) === null) {
    const detail = 'The currency is not in ISO 4217.'
    throw problemOfFaults([{ pointer: '/brand/default_currency', code: 'unknown_currency', detail }])
  }
  const wanted = {
    slug,
    name: given?.name ?? slug,
    vertical: given?.vertical ?? 'other',
    default_currency: given?.default_currency ?? null,
  }
  await insertBrand(tx, workspaceId, wanted)
  const stored = await findBrand(tx, workspaceId, slug)
  const differs = Object.entries(given ?? {}).some(([key, value]) => stored?.[key as keyof NewBrand] !== value)
  if (differs) {
    const detail = 'The brand exists with other values.'
    throw new Problem('brand_exists', { errors: [{ pointer: '/brand', code: 'brand_exists', detail }] })
  }
}
