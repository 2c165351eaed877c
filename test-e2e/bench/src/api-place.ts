/** A workspace of api for a measurement: its key, one integration for uploads, and the database beside it. */
import { withoutUndefined } from '@wds/contracts/without-undefined'
import pg from 'pg'
import type { MeasureContext } from './measures/measure.ts'
import { type Rig, startRig } from './rig.ts'

export interface ApiPlace {
  rig: Rig
  /** Superuser of api's database. */
  admin: pg.Client
  workspaceId: string
  integrationId: string
  /** The JSON of an answer; `body`: of a POST, as it is when it is a text (CSV), else as JSON. @throws Error with the answer unless it is a 2xx. */
  call(path: string, o?: { method?: string; body?: object | string }): Promise<Record<string, unknown>>
  /** Sends a file and waits until it is read. Gives the import. */
  upload(type: 'stats' | 'fx_rates', csv: string): Promise<Record<string, unknown>>
  stop(): Promise<void>
}

export async function startApiPlace(context: MeasureContext, env: Record<string, string> = {}): Promise<ApiPlace> {
  const quota = { WDS_REQUEST_QUOTA: '1000000' }
  const rig = await startRig({
    ...context,
    tenants: 1,
    subscriptions: 1,
    events: ['webhook.*'],
    env: { ...quota, ...env },
  })
  const admin = new pg.Client({ connectionString: rig.stack.adminUrls.api })
  const stop = async () => {
    await admin.end()
    await rig.stop()
  }
  try {
    await admin.connect()
    const { apiKey, workspaceId } = rig.tenants[0] ?? { apiKey: '', workspaceId: '' }
    const call: ApiPlace['call'] = async (path, { body, method = body === undefined ? 'GET' : 'POST' } = {}) => {
      const type = typeof body === 'string' ? 'text/csv' : 'application/json'
      const response = await fetch(`${rig.services.api.url}${path}`, {
        method,
        headers: withoutUndefined<Record<string, string>>({
          authorization: `Bearer ${apiKey}`,
          'content-type': body === undefined ? undefined : type,
        }),
        body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path} is ${response.status}: ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    }
    const made = await call('/v1/integrations', { body: { name: 'Bench', brand_slug: 'acme', provider: 'csv_upload' } })
    const integrationId = String(made.id)
    const upload: ApiPlace['upload'] = async (type, csv) => {
      const of = type === 'stats' ? `&integration_id=${integrationId}` : ''
      const { id } = await call(`/v1/imports?type=${type}${of}`, { body: csv })
      for (;;) {
        const found = await call(`/v1/imports/${String(id)}`)
        if (found.status === 'failed') throw new Error(`the import failed: ${JSON.stringify(found.error)}`)
        if (found.status === 'completed') return found
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
    return { rig, admin, workspaceId, integrationId, call, upload, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** `YYYY-MM-DD`, UTC. */
export const dateAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
