// GET /v1/stats/days and /v1/stats/days/{date} (domain.md 3.6). A day is changed by what happens to it alone.
import type { Loaded } from '@wds/aggregate/aggregate'
import { loadOr404 } from '@wds/aggregate/resource'
import { page } from '@wds/http-service/cursor'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Handle, RouteOf } from '@wds/http-service/route'
import { dayNumber, daysBetween, toInstant } from '../calendar/domain/calendar.ts'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations, paths, StatsDay } from '../openapi.generated.ts'
import { statsDays } from './aggregates.ts'
import type { StatsDayState } from './domain/stats-day.ts'
import { listDays } from './store-days.ts'

const route = '/v1/stats/days'

const read: Handle<operations['readStatsDay']> = async (request) => {
  const { date } = request.params
  if (dayNumber(date) === null) throw new Problem('not_found')
  const found = await request.read((tx) => loadOr404(tx, statsDays, date))
  return { status: 200, body: toApi(found), version: found.version }
}

const list =
  ({ cursors }: ApiDependencies): Handle<operations['listStatsDays']> =>
  async (request) => {
    const { cursor, limit, ...filters } = request.query
    const { from, to } = filters
    for (const parameter of ['from', 'to'] as const) {
      const date = filters[parameter]
      if (date !== undefined && dayNumber(date) === null)
        throw problemOfFaults([{ parameter, code: 'invalid_parameter', detail: 'Must be a date, YYYY-MM-DD.' }])
    }
    if (from !== undefined && to !== undefined && daysBetween(from, to) < 1)
      throw problemOfFaults([{ parameter: 'from', code: 'invalid_parameter', detail: 'Must not be after to.' }])
    const binding = { workspaceId: request.client.workspaceId, route, filters }
    const before = cursor === undefined ? null : String(cursors.decode(cursor, binding)[0])
    const asked = { from: from ?? null, to: to ?? null, before, rows: limit + 1 }
    const rows = await request.read((tx) => listDays(tx, asked))
    const body = page(rows, limit, ({ id }) => cursors.encode({ ...binding, position: [id] }))
    return { status: 200, body: { ...body, data: body.data.map(toApi) } }
  }

const instant = (ms: number | null | undefined): string | null => (ms == null ? null : toInstant(ms))

function toApi({ state, version, createdMs, updatedMs }: Loaded<StatsDayState>): StatsDay {
  const { status, revisions } = state
  if (status === 'none' || createdMs === null || updatedMs === null) throw new Error('only days that exist are shown')
  const last = revisions.at(-1)
  return {
    object: 'stats_day',
    date: state.date,
    time_zone: state.time_zone,
    status,
    late: state.late,
    revision: last?.revision ?? 0,
    complete: state.complete,
    integrations_included: state.included,
    integrations_missing: state.missing,
    watermark: instant(state.watermark_ms),
    ready: instant(revisions[0]?.created_ms),
    restated: revisions.length > 1 ? instant(last?.created_ms) : null,
    row_count: state.row_count,
    checksum: last?.checksum ?? null,
    revisions: revisions.map(({ revision, created_ms, checksum, cause }) => {
      return { revision, created: toInstant(created_ms), checksum, cause }
    }),
    created: toInstant(createdMs),
    updated: toInstant(updatedMs),
    version,
  }
}

export const statsDayRoutes = (o: ApiDependencies): RouteOf<paths>[] => [
  { method: 'GET', path: route, scope: 'stats:read', handle: list(o) },
  { method: 'GET', path: `${route}/{date}`, scope: 'stats:read', handle: read },
]
