import { expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { slugOf, type WorkspaceEvent, workspaceDecider } from './workspace.ts'

const created: WorkspaceEvent = {
  type: 'WorkspaceCreated',
  data: { workspace_id: 'wsp_1', name: 'Acme Media', slug: 'acme-media', plan: 'business' },
}
const command = { type: 'CreateWorkspace', workspaceId: 'wsp_1', name: 'Acme Media', plan: 'business' } as const

test('a workspace is created with the slug of its name', () => {
  given(workspaceDecider, []).when(command).then([created])
})

test('a workspace that exists is not created again', () => {
  given(workspaceDecider, [created]).when(command).thenRejected('already_exists')
})

test.each(['', 'x'.repeat(256), 'a\u0000b'])(
  'a name that is empty, too long or holds U+0000 is refused (%#)',
  (name) => {
    given(workspaceDecider, [])
      .when({ ...command, name })
      .thenRejected('invalid_name')
  },
)

test.each([
  ['Acme Media GmbH', 'acme-media-gmbh'],
  ['Ärzte & Söhne', 'arzte-sohne'],
  ['???', 'workspace'],
  ['a'.repeat(80), 'a'.repeat(63)],
])('slug of %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
