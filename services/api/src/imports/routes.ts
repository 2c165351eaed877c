// Shows the errors of an import (domain.md 3.12). Files are taken in by `uploads/`.
import { loadOr404 } from '@wds/aggregate/resource'
import type { Handle, RouteOf } from '@wds/http-service/route'
import type { operations, paths } from '../openapi.generated.ts'
import { imports } from './resource.ts'
import { listRejects } from './store-rejects.ts'

const { scopes } = imports

export function importRoutes(): RouteOf<paths>[] {
  return [{ method: 'GET', path: '/v1/imports/{id}/errors', scope: scopes.read, handle: readImportErrors }]
}

/** Errors that are read at a time. */
const errorsPage = 1_000

const readImportErrors: Handle<operations['readImportErrors']> = (request) =>
  request.read(async (tx) => {
    const { id } = request.params
    await loadOr404(tx, imports, id)
    const pages: Buffer[] = []
    // Page by page: in one go 100,000 of them would hold up everybody else.
    for (let after: number | null = -1; after !== null; ) {
      const rejects = await listRejects(tx, {
        workspaceId: request.client.workspaceId,
        importId: id,
        after,
        limit: errorsPage,
      })
      pages.push(Buffer.from(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''), 'utf8'))
      after = rejects.length < errorsPage ? null : (rejects.at(-1)?.line ?? null)
    }
    return {
      status: 200,
      bytes: Buffer.concat(pages),
      headers: { 'content-type': 'application/x-ndjson; charset=utf-8' },
    }
  })
