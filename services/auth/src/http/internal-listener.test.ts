import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { createLogger } from '@wds/telemetry/logger'
import type { CreatedWorkspace, CreateWorkspaceRequest } from './create-workspace.ts'
import { createInternalListener, parseCreateWorkspace } from './internal-listener.ts'

const made: CreatedWorkspace = { workspaceId: 'wsp_1', keyId: 'key_1', apiKey: 'the key' }
const createWorkspace = jest.fn(async (_request: CreateWorkspaceRequest) => made)
const listener = createInternalListener({
  token: 'secret',
  logger: createLogger({ service: 'test', level: 'error' }),
  createWorkspace,
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
})
afterAll(() => {
  listener.close()
  listener.closeAllConnections()
})

function post(path: string, o: { token?: string; body?: string; method?: string }): Promise<Response> {
  const headers: Record<string, string> = o.token === undefined ? {} : { authorization: `Bearer ${o.token}` }
  return fetch(`${url}${path}`, { method: o.method ?? 'POST', headers, body: o.body ?? '{}' })
}

test('a workspace is made for the holder of the service token, and the answer is not cached', async () => {
  const answer = await post('/internal/workspaces', { token: 'secret', body: '{"name": "Acme", "plan": "pro"}' })
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { workspace_id: 'wsp_1', key_id: 'key_1', api_key: 'the key' },
  ])
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(createWorkspace).toHaveBeenLastCalledWith({ name: 'Acme', plan: 'pro', keyName: 'first key', scopes: null })
})

test.each([
  ['no token', {}, 401],
  ['a wrong token', { token: 'secreT' }, 401],
  ['a body that is too large', { token: 'secret', body: `{"name": "${'x'.repeat(70_000)}"}` }, 413],
  ['no JSON', { token: 'secret', body: '{' }, 422],
])('%s is refused and makes nothing', async (_name, o, status) => {
  createWorkspace.mockClear()
  expect((await post('/internal/workspaces', o)).status).toBe(status)
  expect(createWorkspace).not.toHaveBeenCalled()
})

test('unknown commands are 404', async () => {
  expect((await post('/internal/nothing', { token: 'secret' })).status).toBe(404)
})

test.each([
  '[]',
  'null',
  '{"name": ""}',
  '{"name": "a", "plan": "gold"}',
  '{"name": "a", "scopes": []}',
  '{"name": "a", "scopes": ["all"]}',
  '{"name": "a", "colour": 1}',
])('the request %s is refused with a sentence', (text) => {
  expect(parseCreateWorkspace(text)).toEqual({ ok: false, detail: expect.any(String) })
})
