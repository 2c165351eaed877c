// POST /v1/integrations: connects a source, with its brand if the slug is new (domain.md 3.1, 3.2).

import { minorUnits } from '@wds/contracts/currencies'
import { dbNow } from '@wds/event-store/event-store'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { IntegrationPatch } from '../domain/integration.ts'
import { fieldFaults, normalized, withDefaults } from '../domain/integration-form.ts'
import { isAvailableProvider } from '../domain/providers.ts'
import { blank, carryOut } from '../store/aggregate.ts'
import { findBrand, insertBrand } from '../store/brands.ts'
import { integrationKind } from '../store/kinds.ts'
import { newId } from '../store/new-id.ts'
import { reschedule } from '../store/schedules.ts'
import { toApiIntegration } from './api-shapes.ts'
import { orProblem } from './operations.ts'

interface NewBrand {
  name?: string
  vertical?: string
  default_currency?: string | null
}
type Body = IntegrationPatch & { name: string; brand_slug: string; provider: string; brand?: NewBrand }

export async function createIntegration(request: ApiRequest): Promise<ApiAnswer> {
  const { brand, ...given } = request.body as Body
  if (!isAvailableProvider(given.provider)) {
    const detail = 'This provider is not available.'
    throw new Problem('provider_not_available', {
      errors: [{ pointer: '/provider', code: 'provider_not_available', detail }],
    })
  }
  const fields = withDefaults({ ...given, ...normalized(given) })
  const faults = fieldFaults(fields)
  if (faults.length > 0) throw problemOfFaults(faults)
  return request.write(async (tx) => {
    const nowMs = await dbNow(tx)
    const { workspaceId } = request.client
    await ensureBrand(tx, workspaceId, fields.brand_slug, brand)
    const loaded = blank(integrationKind, newId('int', nowMs))
    const command = { type: 'create', fields, atMs: nowMs } as const
    const created = orProblem(await carryOut(tx, integrationKind, { context: request.context, loaded, command, nowMs }))
    if (fields.schedule) await reschedule(tx, { workspaceId, integration: created, nowMs, atMs: nowMs })
    const location = `/v1/integrations/${created.id}`
    return { status: 201, body: toApiIntegration(created), location, version: created.version }
  })
}

async function ensureBrand(
  tx: Transaction,
  workspaceId: string,
  slug: string,
  given: NewBrand | undefined,
): Promise<void> {
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
