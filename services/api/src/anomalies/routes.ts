// What people do about an anomaly (domain.md 3.11). It is found and ended by the detection, too: look-for-anomalies.ts.
import { change } from '@wds/aggregate/resource'
import type { ApiRequest, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { anomalies } from './resource.ts'

const scope = anomalies.scopes.write

export function anomalyRoutes(): RouteOf<paths>[] {
  return [
    { method: 'POST', path: '/v1/anomalies/{id}/acknowledge', scope, handle: acknowledge },
    { method: 'POST', path: '/v1/anomalies/{id}/resolve', scope, handle: resolve },
    { method: 'POST', path: '/v1/anomalies/{id}/dismiss', scope, handle: dismiss },
  ]
}

function acknowledge(request: ApiRequest<operations['acknowledgeAnomaly']>) {
  return change(request, anomalies, () => ({ type: 'acknowledge', note: request.body?.note ?? null }))
}

function resolve(request: ApiRequest<operations['resolveAnomaly']>) {
  return change(request, anomalies, () => ({ type: 'resolve', resolution: 'user', note: request.body?.note ?? null }))
}

function dismiss(request: ApiRequest<operations['dismissAnomaly']>) {
  return change(request, anomalies, () => {
    const { reason, note = null } = request.body
    return { type: 'dismiss', reason, note }
  })
}
