// What apps have besides the routes that follow from their declaration: registration with a logo, publishing, client secrets, errors.
import { newId } from '@wds/aggregate/new-id'
import { change, loadOr404 } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import type { Handle, RouteOf } from '@wds/http-service/route'
import { lockWorkspace } from '../members/store.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { requireAppsInPlan } from '../workspaces/plan.ts'
import { oauthApps } from './aggregate.ts'
import { makeClientSecret } from './client-secret.ts'
import { judgeLogo, judgeNewApp } from './judge-fields.ts'
import { formBytesMax } from './logo.ts'
import { registerApp } from './register-app.ts'
import { oauthAppSettings, shownApp, toProblem } from './resource.ts'
import { insertSecret } from './store.ts'
import { type KeptError, listOAuthErrors } from './store-errors.ts'
import { storeLogo } from './store-logo.ts'
import { readUsage } from './store-usage.ts'

const session = 'manage_apps'
export function oauthAppRoutes(): RouteOf<paths>[] {
  const one = '/v1/oauth-apps/{id}'
  return [
    { method: 'POST', path: '/v1/oauth-apps', session, bodyBytesMax: formBytesMax, handle: register },
    { method: 'POST', path: `${one}/logo`, session, bodyBytesMax: formBytesMax, handle: changeLogo },
    { method: 'POST', path: `${one}/publish`, session, handle: publish },
    { method: 'POST', path: `${one}/secrets`, session, handle: addSecret },
    { method: 'DELETE', path: `${one}/secrets/{secret_id}`, session, handle: endSecret },
    { method: 'GET', path: `${one}/errors`, session, handle: listErrors },
    { method: 'GET', path: '/v1/oauth-apps/usage', session, handle: usage },
  ]
}

const register: Handle<operations['registerOAuthApp']> = async (request) => {
  const { workspaceId } = request.client
  await request.read((tx) => requireAppsInPlan(tx))
  const app = await judgeNewApp(workspaceId, request.body)
  return request.write(async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await requireAppsInPlan(tx)
    const made = await registerApp(tx, { context: request.context, nowMs: await dbNow(tx), app })
    if (!made.ok) throw toProblem(made.error)
    const { id, version } = made.value
    const body = { ...(await shownApp(tx, made.value)), client_secret: made.secret }
    return { status: 201, body, version, location: `/v1/oauth-apps/${id}`, holdsSecret: true }
  })
}

const changeLogo: Handle<operations['changeOAuthAppLogo']> = async (request) => {
  const { workspaceId } = request.client
  await request.read(async (tx) => {
    await loadOr404(tx, oauthApps, request.params.id)
    await requireAppsInPlan(tx)
  })
  const logo = await judgeLogo(workspaceId, request.body.logo)
  return change(
    request,
    oauthAppSettings,
    async (tx) => {
      await requireAppsInPlan(tx)
      return { type: 'set_logo', logoDigest: logo.digest.toString('hex') }
    },
    { after: (tx, { id }) => storeLogo(tx, { workspaceId, appId: id, logo }) },
  )
}

const publish: Handle<operations['publishOAuthApp']> = (request) =>
  change(request, oauthAppSettings, async (tx) => {
    await requireAppsInPlan(tx)
    return { type: 'publish' }
  })

const addSecret: Handle<operations['addClientSecret']> = async (request) => {
  const { workspaceId } = request.client
  let made: ReturnType<typeof makeClientSecret> & { secretId: string }
  const answer = await change(
    request,
    oauthAppSettings,
    async (tx, { nowMs }) => {
      await requireAppsInPlan(tx)
      const { overlap_hours = 24 } = request.body
      made = { ...makeClientSecret(), secretId: newId('sec', nowMs) }
      return { type: 'add_secret', secretId: made.secretId, overlapMs: overlap_hours * 3_600_000, nowMs }
    },
    {
      after: (tx, { id: appId }) => {
        const { secretId, digest } = made
        return insertSecret(tx, { workspaceId, appId, secretId, digest })
      },
      shownOnce: () => ({ client_secret: made.secret }),
    },
  )
  return { ...answer, status: 201, location: `/v1/oauth-apps/${request.params.id}` }
}

/** A leaked secret ends whatever the plan. */
const endSecret: Handle<operations['endClientSecret']> = async (request) => {
  const { secret_id: secretId } = request.params
  await change(request, oauthAppSettings, (_tx, { nowMs }) => ({ type: 'end_secret', secretId, nowMs }))
  return { status: 204 }
}

const listErrors: Handle<operations['listOAuthErrors']> = async (request) => {
  const errors = await request.read(async (tx) => {
    const { id } = await loadOr404(tx, oauthApps, request.params.id)
    return listOAuthErrors(tx, request.client.workspaceId, id)
  })
  return { status: 200, body: { object: 'list', data: errors.map(toApiError), has_more: false, next_cursor: null } }
}

const usage: Handle<operations['readOAuthAppUsage']> = async (request) => {
  const found = await request.read((tx) => readUsage(tx, [...new Set(request.query.app_id)]))
  const data = found.map(({ appId, people, grants, lastError }) => ({
    app_id: appId,
    people,
    grants,
    last_error: lastError && toApiError(lastError),
  }))
  return { status: 200, body: { object: 'oauth_app_usage', data } }
}

const toApiError = ({ createdMs, requestId, ...error }: KeptError) => ({
  created: new Date(createdMs).toISOString(),
  ...error,
  request_id: requestId,
})
