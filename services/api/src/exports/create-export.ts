// POST /v1/exports: judges the query and queues the export (domain.md 3.12). It never looks at rows.
import { blank } from '@wds/aggregate/aggregate'
import { answerOf } from '@wds/aggregate/resource'
import { dbNow } from '@wds/event-store/event-store'
import { hasScope, insufficientScope } from '@wds/http-service/bearer'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import type { ApiDependencies } from '../dependencies.ts'
import type { operations } from '../openapi.generated.ts'
import { putWork } from '../work-queue/store.ts'
import { storedBytesMax } from './domain/export-errors.ts'
import { carryOutExport, exports } from './resource.ts'
import { exportSources } from './sources.ts'
import { lockUsage, readUsage } from './store.ts'

type Request = ApiRequest<operations['createExport']>
type Answer = ApiAnswer<operations['createExport']>

/** Characters of a query as JSON: it stands in every list. */
const queryCharactersMax = 32_768
/** Exports of a workspace that may wait or run. */
const openMax = 10
/** Exports of a workspace, also those that came to nothing: each holds its query until it expires. */
const keptMax = 10_000

export function createExport(request: Request, o: ApiDependencies): Promise<Answer> {
  return request.write(async (tx) => {
    const { type, format, compression = 'none', query } = request.body
    const { scope, judge } = exportSources[type]
    if (!hasScope(request.client, scope)) throw insufficientScope([scope])
    if (JSON.stringify(query).length > queryCharactersMax)
      throw problemOfFaults([
        { pointer: '/query', code: 'out_of_range', detail: `At most ${queryCharactersMax} characters.` },
      ])
    const nowMs = await dbNow(tx)
    const { workspaceId } = request.client
    // What can never be answered is refused at once, as the same query or list would be.
    await judge(tx, { workspaceId, nowMs, referenceRates: o.referenceRates, query })
    await judgeUsage(tx, workspaceId)
    const order = { export_type: type, format, compression, query }
    const queued = await carryOutExport(tx, blank(exports, { nowMs }), { type: 'queue', order, atMs: nowMs })
    await putWork(tx, { context: request.context, workId: queued.id, kind: 'export', integrationId: null })
    const location = `${exports.path}/${queued.id}`
    return { ...(await answerOf(tx, exports, queued)), status: 202, location, afterCommit: o.wakeWorker }
  })
}

async function judgeUsage(tx: Transaction, workspaceId: string): Promise<void> {
  await lockUsage(tx, workspaceId)
  const { open, kept, bytes } = await readUsage(tx, workspaceId)
  if (open >= openMax)
    throw new Problem('quota_exceeded', {
      detail: `At most ${openMax} exports wait or run at a time.`,
      headers: { 'retry-after': '10' },
      members: { 'violated-policies': ['exports'] },
    })
  if (kept >= keptMax)
    throw new Problem('limit_reached', {
      detail: `A workspace has at most ${keptMax} exports: delete some, or wait until they expire.`,
    })
  if (bytes >= storedBytesMax)
    throw new Problem('limit_reached', {
      detail: 'The files of exports take 1 GiB: delete some, or wait until they expire.',
    })
}
