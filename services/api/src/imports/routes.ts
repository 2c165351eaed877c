// Shows the errors of an import (domain.md 3.12). Files are taken in by `uploads/`.
import { judgeRow, loadOr404 } from '@wds/aggregate/resource'
import type { ApiRequest, Handle, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { imports } from './resource.ts'
import { listRejects, type Reject } from './store-rejects.ts'

const { scopes } = imports

export function importRoutes(): RouteOf<paths>[] {
  return [{ method: 'GET', path: '/v1/imports/{id}/errors', scope: scopes.read, handle: readImportErrors }]
}

/** Errors that are read at a time; there may be 100,000. */
const errorsPage = 1_000

const readImportErrors: Handle<operations['readImportErrors']> = async (request) => {
  const { id } = request.params
  const { state } = await request.read((tx) => loadOr404(tx, imports, id))
  judgeRow(request.client, imports, state)
  return {
    status: 200,
    parts: { length: null, read: () => errorsOf(request, id) },
    headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
  }
}

async function* errorsOf(request: Pick<ApiRequest, 'client' | 'read'>, importId: string): AsyncGenerator<Buffer> {
  const { workspaceId } = request.client
  let after: number | null = -1
  while (after !== null) {
    const page = { workspaceId, importId, after, limit: errorsPage }
    const rejects: Reject[] = await request.read((tx) => listRejects(tx, page))
    if (rejects.length > 0) yield Buffer.from(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''), 'utf8')
    after = rejects.length < errorsPage ? null : (rejects.at(-1)?.line ?? null)
  }
}
