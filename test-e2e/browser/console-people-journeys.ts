// Roles and plans in the console (ui.md U10): what a page hides, the API refuses. A suite with a started rig calls these; they throw where
// something is not as it must be.
import { deepEqual, equal } from 'node:assert/strict'
import { plans, type Role, roles } from '@wds/contracts/roles'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/standalone.ts'
import type { Visitor } from './chromium.ts'
import type { ConsoleRig } from './console-rig.ts'
import { type Answer, inviteAndJoin, makeTeam, type Person, resources, settings } from './console-team.ts'
import { seenByAll } from './console-views.ts'

const managers = [
  'Webhooks',
  'Dead letters',
  'OAuth apps',
  'API keys',
  'Members and roles',
  'Audit log',
  'Workspace settings',
]

/** Of each page that members and viewers do not see: what it does, refused by the API. */
type Call = (visitor: Visitor, rig: ConsoleRig) => Promise<Answer>
const behind: Record<string, { path: string; call: Call; code: string }> = {
  Webhooks: {
    path: 'webhooks',
    call: (v, rig) => resources(v, rig, 'GET', '/v1/webhooks'),
    code: 'insufficient_scope',
  },
  'Dead letters': {
    path: 'dead-letters',
    call: (v, rig) => resources(v, rig, 'GET', '/v1/dead-letters/causes'),
    code: 'insufficient_scope',
  },
  'OAuth apps': {
    path: 'oauth-apps',
    call: (v, rig) => settings(v, rig, 'GET', '/v1/oauth-apps'),
    code: 'role_not_allowed',
  },
  'API keys': {
    path: 'api-keys',
    call: (v, rig) => settings(v, rig, 'POST', '/v1/api-keys', { name: 'mine', scopes: ['stats:read'] }),
    code: 'role_not_allowed',
  },
  'Members and roles': {
    path: 'members',
    call: (v, rig) => settings(v, rig, 'POST', '/v1/members/invitations', { role: 'viewer' }),
    code: 'role_not_allowed',
  },
  'Audit log': {
    path: 'audit-log',
    call: (v, rig) => settings(v, rig, 'GET', '/v1/workspace/audit'),
    code: 'role_not_allowed',
  },
  'Workspace settings': {
    path: 'settings',
    call: async (v, rig) => {
      const own = await resources(v, rig, 'PATCH', '/v1/settings', { max_wait_hours: 48 })
      equal(own.body.code, 'role_not_allowed')
      return settings(v, rig, 'PATCH', '/v1/workspace', { name: 'Mine' })
    },
    code: 'role_not_allowed',
  },
}

const pagesOf = (page: Page) => page.getByRole('navigation').getByRole('link').allInnerTexts()
const isShown = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first().isVisible()

/** U10, the rows of auth.md 1.2 over the four roles. */
export async function compareRolesWithApi(rig: ConsoleRig): Promise<void> {
  const team = await makeTeam(rig, 'business')
  const people: Visitor[] = [team.owner.visitor]
  try {
    for (const role of roles) {
      const person = role === 'owner' ? team.owner : await inviteAndJoin(rig, team.owner, team.slug, role)
      if (role !== 'owner') people.push(person.visitor)
      await compareRole(rig, person, role)
    }
  } finally {
    for (const visitor of people) await visitor.close()
  }
}

async function compareRole(rig: ConsoleRig, { visitor, urlOf }: Person, role: Role): Promise<void> {
  const { page, faults } = visitor
  const manages = role === 'owner' || role === 'admin'
  const shown = new Set((await pagesOf(page)).map((text) => text.trim()).filter((text) => text !== ''))
  deepEqual([role, shown], [role, new Set(manages ? [...seenByAll, ...managers] : seenByAll)])

  for (const [name, { path, call, code }] of Object.entries(behind)) {
    if (manages) continue
    await page.goto(urlOf(path))
    await page.getByRole('heading', { level: 1, name: 'Your role cannot open this page' }).waitFor()
    await page.getByText(`It is for owners and admins; your role is ${role}.`).waitFor()
    const refused = await call(visitor, rig)
    deepEqual([role, name, refused.status, refused.body.code], [role, name, 403, code])
  }

  // Integrations: a viewer looks, everybody else changes.
  await page.goto(urlOf('integrations'))
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
  await page.waitForLoadState('networkidle')
  const source = { name: `Files of the ${role}`, provider: 'csv_upload', brand_slug: 'acme' }
  const wish = { ...source, currency: 'EUR', source_time_zone: 'UTC' }
  const made = await resources(visitor, rig, 'POST', '/v1/integrations', wish)
  deepEqual(
    [role, await isShown(page, 'Add integration'), made.status],
    [role, role !== 'viewer', role === 'viewer' ? 403 : 201],
  )

  if (manages) {
    await compareOwnersRow(rig, { visitor, urlOf }, role)
    await findInAuditLog(rig, { visitor, urlOf }, role)
  }
  deepEqual([role, faults], [role, []])
}

/** Only an owner changes an owner. */
async function compareOwnersRow(rig: ConsoleRig, { visitor, urlOf }: Omit<Person, 'email'>, role: Role): Promise<void> {
  const { page } = visitor
  await page.goto(urlOf('members'))
  const change = page.getByRole('button', { name: 'Change role of Olga Owner' })
  await change.waitFor()
  const { body } = await settings(visitor, rig, 'GET', '/v1/members')
  const owner = (body.data as { id: string; role: Role }[]).find((member) => member.role === 'owner')
  const changed = await settings(visitor, rig, 'PATCH', `/v1/members/${owner?.id}`, { role: 'admin' })
  // An owner may; this one is the last.
  const refusal = role === 'owner' ? [409, 'invalid_state'] : [403, 'role_not_allowed']
  deepEqual([role, await change.isEnabled(), changed.status, changed.body.code], [role, role === 'owner', ...refusal])
}

/** What is changed at api stands in the audit log, which is auth's (auth.md 4.6). */
async function findInAuditLog(rig: ConsoleRig, { visitor, urlOf }: Omit<Person, 'email'>, role: Role): Promise<void> {
  const { body: session } = await settings(visitor, rig, 'GET', '/v1/session')
  const changed = await resources(visitor, rig, 'PATCH', '/v1/settings', { max_wait_hours: role === 'owner' ? 48 : 72 })
  equal(changed.status, 200)
  const query = `actor=user:${session.user.id}&action=workspace_settings_changed`
  await eventually('the change is in the audit log', async () => {
    const { body } = await settings(visitor, rig, 'GET', `/v1/workspace/audit?${query}`)
    return body.data.length === 1 && body.data[0].address === '127.0.0.1'
  })
  await visitor.page.goto(urlOf(`audit-log?${query}`))
  await visitor.page.getByRole('rowheader', { name: 'workspace settings changed' }).waitFor()
}

/** U10, the plans: below business no app is registered, in the page or by the API. */
export async function comparePlansWithApi(rig: ConsoleRig): Promise<void> {
  const team = await makeTeam(rig, 'free')
  const { visitor, urlOf } = team.owner
  const { page } = visitor
  try {
    for (const plan of plans) {
      await rig.operate(`/internal/workspaces/${team.id}/plan`, { plan })
      await page.goto(urlOf('oauth-apps'))
      await page.getByRole('heading', { level: 1, name: 'OAuth apps' }).waitFor()
      await page.getByText('No apps yet').waitFor()
      const isOpen = await isShown(page, 'Register an app')
      const isExplained = await page.getByText('Apps need the business plan').isVisible()
      // Without a logo: what is judged first is the plan.
      const { csrf_token: csrf } = await (await page.request.get(`${rig.at.auth_url}/v1/session`)).json()
      const app = { name: 'Ledgerline', redirect_urls: ['https://app.example/cb'], scopes: ['stats:read'] }
      const answer = await page.request.post(`${rig.at.auth_url}/v1/oauth-apps`, {
        headers: { 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' },
        multipart: { app: JSON.stringify(app) },
      })
      const { code } = (await answer.json()) as { code: string }
      const isEnough = plan === 'business' || plan === 'enterprise'
      deepEqual([plan, isOpen, !isExplained, code !== 'plan_required'], [plan, isEnough, isEnough, isEnough])
    }
    deepEqual(visitor.faults, [])
  } finally {
    await visitor.close()
  }
}
