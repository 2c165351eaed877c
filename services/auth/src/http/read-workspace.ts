/** `GET /v1/workspace`: the workspace that the token names; any valid token (domain.md 10). */
import { Problem } from '@wds/http-service/problem'
import type { ApiAnswer, ApiRequest } from '@wds/http-service/route'
import { readWorkspace } from '../store/workspaces.ts'
import { toApiWorkspace } from './api-shapes.ts'

export async function handleReadWorkspace(request: ApiRequest): Promise<ApiAnswer> {
  const row = await request.read((tx) => readWorkspace(tx, request.client.workspaceId))
  if (row === null) throw new Problem('not_found')
  return { status: 200, body: toApiWorkspace(row), version: row.version }
}
