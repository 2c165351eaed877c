// Finds the route of a request and sends what it answers. Routes and OpenAPI document are compared before: a difference stops the start.
import { runAs } from '@wds/telemetry/event-loop-delay'
import type { Express } from 'express'
import type { Admission } from './admission.ts'
import { acceptClient, callerAt } from './caller.ts'
import type { DeprecationHeaders } from './deprecation.ts'
import { createDispatch, type Dispatch, type DispatchOptions } from './dispatch.ts'
import { Downloads } from './downloads.ts'
import { compareRoutes, readOpenApi } from './openapi.ts'
import { isInternal } from './openapi-document.ts'
import { Problem } from './problem.ts'
import { contextOf, type RequestContext } from './request-context.ts'
import { sendAnswer, sendParts, wantsContent } from './respond.ts'
import type { Route } from './route.ts'
import { createSchemas } from './schemas.ts'

interface RouterOptions extends Omit<DispatchOptions, 'schemas'> {
  openapi: URL
  routes: Route[]
  internal?: object | undefined
}

interface Served {
  dispatch: Dispatch
  deprecation: DeprecationHeaders
  isPolled: boolean
}

/** Adds each path of the routes, then the answer to any other. Throws an Error that lists every difference between routes and document. */
export function addRoutes(app: Express, o: RouterOptions): void {
  const { document, operations: described } = readOpenApi(o.openapi)
  const isServed = ({ path }: { path: string }) => isInternal(path) === (o.internal !== undefined)
  const [routes, operations] = [o.routes.filter(isServed), described.filter(isServed)]
  compareRoutes(routes, operations)
  const scoped = routes.find(({ path, scope }) => isInternal(path) && scope !== null)
  if (scoped) throw new Error(`${scoped.path} has a scope, but the internal listener knows the service token only.`)
  const schemas = createSchemas(document)
  const downloads = new Downloads()
  const byPath = Map.groupBy(routes, (route) => route.path)
  // Literal segments first: /v1/x/mine must not be taken for /v1/x/{id}.
  const paths = [...byPath.keys()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  for (const path of paths) {
    const dispatches = new Map<string, Served>()
    for (const route of byPath.get(path) ?? []) {
      const operation = operations.find((entry) => entry.method === route.method && entry.path === path)
      if (!operation) continue
      const dispatch = createDispatch(route, operation, { ...o, schemas })
      dispatches.set(route.method, { dispatch, deprecation: operation.deprecation, isPolled: route.isPolled === true })
    }
    const allow = [...dispatches.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    app.all(path.replaceAll(/\{([^}]+)\}/g, ':$1'), async (request, response) => {
      const context = contextOf(response)
      context.route = path
      const found = dispatches.get(request.method === 'HEAD' ? 'GET' : request.method)
      if (!found) {
        await countAddress(context, o.admission)
        throw new Problem('method_not_allowed', { headers: { allow } })
      }
      context.isPolled = found.isPolled
      for (const [name, value] of found.deprecation) response.setHeader(name, value)
      await pass(found.dispatch, context, {
        params: request.params as Record<string, string>,
        admission: o.admission,
        downloads,
      })
    })
  }
  app.use(async (_request, response) => {
    await countAddress(contextOf(response), o.admission)
    throw new Problem('not_found', { detail: 'There is no such path.' })
  })
}

/** Behind everything that goes on literally, as /v1/x/{id}.csv does behind /v1/x/{id}. */
const sortKey = (path: string) => `${path.replaceAll('{', '~')}~`

async function countAddress(context: RequestContext, admission: Admission): Promise<void> {
  await admission.count(callerAt(context.origin.address), context.response)
}

async function pass(
  dispatch: Dispatch,
  context: RequestContext,
  { params, admission, downloads }: { params: Record<string, string>; admission: Admission; downloads: Downloads },
): Promise<void> {
  const work = () => ({
    request_id: context.requestId,
    method: context.request.method,
    route: context.route,
    workspace_id: context.client?.workspaceId,
  })
  const answer = await runAs(work, () =>
    dispatch({
      request: context.request,
      params: { ...params },
      count: async (caller) => {
        context.standing = await admission.count(caller, context.response)
      },
      requestId: context.requestId,
      remoteAddress: context.origin.address,
      signal: context.abort.signal,
      trace: context.trace,
      onClient: (client) => {
        context.client = client
        context.authenticated = true
        acceptClient(context.response, client)
      },
    }),
  )
  const { parts } = answer
  if (!parts) return sendAnswer(context, answer)
  const caller = context.client?.workspaceId ?? callerAt(context.origin.address)
  const leave = wantsContent(context, answer) ? downloads.enter(caller) : null
  try {
    await sendParts(context, { ...answer, parts })
  } finally {
    leave?.()
  }
}
