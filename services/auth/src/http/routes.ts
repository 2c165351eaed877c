/** Every public route of auth, with its scope. The operator's commands stand on the internal listener. */
import type { Route } from '@wds/http-service/route'
import { handleReadWorkspace } from './read-workspace.ts'

export const routes: Route[] = [{ method: 'GET', path: '/v1/workspace', scope: 'any', handle: handleReadWorkspace }]
