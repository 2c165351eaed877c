// GET and PATCH /v1/settings (domain.md 3.1). There is one of them in each workspace, so no path names it.

import { blank, executeOrFail, type Loaded, load, workspaceOf } from '@wds/aggregate/aggregate'
import { mergePatch } from '@wds/aggregate/merge-patch'
import { idTimeMs } from '@wds/contracts/ids'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import { dbNow } from '@wds/event-store/event-store'
import { hasScope } from '@wds/http-service/bearer'
import { requireMatch } from '@wds/http-service/conditional'
import { judgeConsole } from '@wds/http-service/console-client'
import { problemOfFaults } from '@wds/http-service/problem'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { timeZoneName, toInstant } from '../calendar/domain/calendar.ts'
import type { operations, paths, WorkspaceSettings } from '../openapi.generated.ts'
import { wholeIssuer } from '../parties/domain/party.ts'
import { settings } from './aggregate.ts'
import { defaultSettings, type SettingsFields, type SettingsState, settingsFaults } from './domain/settings.ts'

/** Those of the transaction's workspace; version 0 where nothing was changed yet. */
async function loadSettings(tx: Transaction, o: { lock: boolean }): Promise<Loaded<SettingsState>> {
  const id = workspaceOf(tx)
  return (await load(tx, settings, id, o)) ?? blank(settings, { id, nowMs: await dbNow(tx) })
}

/** What nobody changed has version 1 and is as old as its workspace. Who issues its invoices, whoever reads invoices sees. */
function shown(request: Pick<ApiRequest, 'client'>, { id, state, version, updatedMs }: Loaded<SettingsState>) {
  const createdMs = idTimeMs(id)
  const { issuer, ...fields } = state.fields
  const body: WorkspaceSettings = withoutUndefined({
    object: 'workspace_settings',
    created: toInstant(createdMs),
    updated: toInstant(updatedMs ?? createdMs),
    version: Math.max(1, version),
    ...fields,
    issuer: hasScope(request.client, 'invoices:read') ? issuer : undefined,
  })
  return { status: 200 as const, body, version: body.version }
}

const read: Handle<operations['readSettings']> = async (request) =>
  shown(request, await request.read((tx) => loadSettings(tx, { lock: false })))

/** Who may change settings has `invoices:write`, too, so the issuer asks for nothing more. */
const change: Handle<operations['changeSettings']> = (request) => {
  judgeConsole(request.client, 'manage_workspace')
  return request.write(async (tx) => {
    const loaded = await loadSettings(tx, { lock: true })
    requireMatch(request, Math.max(1, loaded.version))
    const { time_zone: zone, issuer, ...rest } = mergePatch(loaded.state.fields, request.body, defaultSettings)
    const patch = withoutUndefined<Partial<SettingsFields>>({
      ...rest,
      time_zone: zone === undefined ? undefined : (timeZoneName(zone) ?? zone),
      issuer: issuer === undefined ? undefined : issuer && wholeIssuer(issuer),
    })
    const faults = settingsFaults(patch)
    if (faults.length > 0) throw problemOfFaults(faults)
    const { context } = request
    return shown(request, await executeOrFail(tx, settings, { context, loaded, command: { type: 'change', patch } }))
  })
}

export const settingsRoutes = (): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/settings', scope: 'any', handle: read },
  { method: 'PATCH', path: '/v1/settings', scope: 'any', handle: change },
]
