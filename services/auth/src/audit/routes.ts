// The audit log of the workspace, newest first.
import { pageOfWalk } from '@wds/http-service/cursor'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { Dependencies } from '../dependencies.ts'
import type { operations, paths } from '../openapi.generated.ts'
import { type AuditRow, readAudit } from './store.ts'

const toApi = ({ id, created, actor, action, object, outcome, address, user_agent, request_id }: AuditRow) => ({
  object: 'audit_entry' as const,
  id,
  created: created.toISOString(),
  actor,
  action,
  target: object,
  outcome,
  address,
  user_agent,
  request_id,
})

const list =
  ({ cursors }: Pick<Dependencies, 'cursors'>): Handle<operations['listAudit']> =>
  async (request) => {
    const { limit, cursor, ...filters } = request.query
    const binding = { workspaceId: request.session.workspaceId, route: 'GET /v1/workspace/audit', filters }
    const [createdMs = null, id = null] = cursor === undefined ? [] : cursors.decode(cursor, binding)
    const after = id === null ? null : { createdMs: Number(createdMs), id: String(id) }
    const filter = {
      actor: filters.actor ?? null,
      action: filters.action ?? null,
      object: filters.target ?? null,
      from: filters['created[gte]'] ?? null,
      before: filters['created[lt]'] ?? null,
    }
    const walk = await request.read((tx) => readAudit(tx, { ...filter, after, limit: limit + 1 }))
    const shown = pageOfWalk(walk, limit, (at) =>
      cursors.encode({ ...binding, position: [at.created.getTime(), at.id] }),
    )
    return { status: 200, body: { ...shown, data: shown.data.map(toApi) }, cache: 'no-store' }
  }

export const auditRoutes = (o: Dependencies): RouteOf<paths>[] => [
  { method: 'GET', path: '/v1/workspace/audit', session: 'manage_workspace', handle: list(o) },
]
