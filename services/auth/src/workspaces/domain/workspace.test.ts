import { expect, test } from '@jest/globals'
import { given } from '@wds/decider/given-when-then'
import { slugOf, type WorkspaceEvent, workspaceDecider } from './workspace.ts'

const created: WorkspaceEvent = {
  type: 'WorkspaceCreated',
  data: { workspace_id: 'wsp_1', name: 'Acme Media', slug: 'acme-media', plan: 'business' },
}
const command = { type: 'create', workspaceId: 'wsp_1', name: 'Acme Media', plan: 'business' } as const

test('a workspace is created with the slug of its name', () => {
  given(workspaceDecider, []).when(command).then([created])
})

const workspaceId = 'wsp_1'

test('name, slug and strict_event_scopes change; what stays is not told', () => {
  const patch = { name: 'Acme Media', slug: 'acme', strict_event_scopes: true }
  given(workspaceDecider, [created])
    .when({ type: 'update', workspaceId, patch })
    .then([{ type: 'WorkspaceChanged', data: { workspace_id: 'wsp_1', slug: 'acme', strict_event_scopes: true } }])
  given(workspaceDecider, [created])
    .when({ type: 'update', workspaceId, patch: { name: 'Acme Media' } })
    .then([])
})

test.each(['', '-a', 'A', 'ä', 'a b', 'a'.repeat(64)])('the slug %j is refused', (slug) => {
  given(workspaceDecider, [created]).when({ type: 'update', workspaceId, patch: { slug } }).thenRejected('invalid_slug')
})

test('the plan changes, to the same one without an event', () => {
  const change = { type: 'change_plan', workspaceId, plan: 'free' } as const
  const changed: WorkspaceEvent = { type: 'WorkspacePlanChanged', data: { workspace_id: 'wsp_1', plan: 'free' } }
  given(workspaceDecider, [created]).when(change).then([changed])
  given(workspaceDecider, [created, changed]).when(change).then([])
})

test('a deleted workspace is not found by any command', () => {
  const deleted: WorkspaceEvent = { type: 'WorkspaceDeleted', data: { workspace_id: 'wsp_1' } }
  given(workspaceDecider, [created]).when({ type: 'delete', workspaceId }).then([deleted])
  for (const command of [
    { type: 'delete', workspaceId },
    { type: 'change_plan', workspaceId, plan: 'free' },
    { type: 'update', workspaceId, patch: {} },
  ] as const) {
    given(workspaceDecider, [created, deleted]).when(command).thenRejected('not_found')
  }
})

test('a workspace that exists is not created again', () => {
  given(workspaceDecider, [created]).when(command).thenRejected('already_exists')
})

test.each([
  ...['', ' ', 'x'.repeat(256), 'a\u0000b', 'a\nb', 'a\u202eb', 'a\u200bb', 'a\u2028b', '\u2066a', 'a\u00adb'],
  ...['Workspace Data Service', 'The W\u043erkspace-Data Service', 'WDS'],
])(
  'regression: S44: a name that is empty, too long, hides characters or is our own is refused, at once and later (%#)',
  (name) => {
    given(workspaceDecider, [created])
      .when({ type: 'update', workspaceId, patch: { name } })
      .thenRejected('invalid_name')
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
