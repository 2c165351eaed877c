// Roles, plans and two workspaces in the console (ui.md U10, U14): what a page hides, the API refuses, and nothing lands in another workspace.
// A suite with a started rig calls these; they throw where something is not as it must be.
import { deepEqual, equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Plan, plans, type Role, roles } from '@wds/contracts/roles'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/standalone.ts'
import type { Visitor } from './chromium.ts'
import { type ConsoleRig, signIn } from './console-rig.ts'

const password = 'a password of the team'

interface Person {
  email: string
  visitor: Visitor
  /** Address of a page of the workspace. */
  urlOf(path: string): string
}

/** Made by the operator, as a workspace of its own: the sample stays as it is. */
async function makeTeam(rig: ConsoleRig, plan: Plan): Promise<{ id: string; slug: string; owner: Person }> {
  const mark = randomUUID().slice(0, 8)
  const email = `owner-${mark}@example.test`
  const body = { name: `Team ${mark}`, plan, owner: { email, name: 'Olga Owner', password } }
  const { workspace_id: id } = await rig.operate('/internal/workspaces', body)
  const slug = `team-${mark}`
  return { id, slug, owner: await open(rig, slug, email) }
}

async function open(rig: ConsoleRig, slug: string, email: string): Promise<Person> {
  const visitor = await rig.openStranger({ reducedMotion: 'reduce' })
  const urlOf = (path: string) => `${rig.at.base_url}/w/${slug}/${path}`
  await visitor.page.goto(urlOf(''))
  await signIn(visitor, { owner_email: email, owner_password: password })
  await visitor.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  // Being asked who one is, is a 401.
  visitor.faults.length = 0
  return { email, visitor, urlOf }
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

/** Calls the settings API in the session of the page's browser, from outside of the page: so the page's own rules do not count. */
async function settings(
  { page }: Visitor,
  rig: ConsoleRig,
  method: string,
  path: string,
  data?: object,
): Promise<Answer> {
  const at = `${rig.at.auth_url}${path}`
  const { csrf_token: csrf } = await (await page.request.get(`${rig.at.auth_url}/v1/session`)).json()
  const headers = { 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' }
  const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}
  const answer = await page.request.fetch(at, { method, headers: { ...headers, ...type }, ...(data ? { data } : {}) })
  return { status: answer.status(), body: await answer.json().catch(() => ({})) }
}

/** Calls the other services as the pages do: with a console token. */
async function resources(
  visitor: Visitor,
  rig: ConsoleRig,
  method: string,
  path: string,
  data?: object,
): Promise<Answer> {
  const { body: token } = await settings(visitor, rig, 'POST', '/v1/session/token')
  const headers = {
    authorization: `Bearer ${token.access_token}`,
    'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
  }
  const answer = await visitor.page.request.fetch(`${rig.at.base_url}${path}`, {
    method,
    headers,
    ...(data ? { data } : {}),
  })
  return { status: answer.status(), body: await answer.json().catch(() => ({})) }
}

async function inviteAndJoin(rig: ConsoleRig, owner: Person, slug: string, role: Role): Promise<Person> {
  const made = await settings(owner.visitor, rig, 'POST', '/v1/members/invitations', { role })
  equal(made.status, 201)
  const email = `${role}-${randomUUID().slice(0, 8)}@example.test`
  const guest = await rig.openStranger()
  await guest.page.goto(made.body.link)
  const fields = { name: `A ${role}`, email, new_password: password, new_password_again: password }
  for (const [name, value] of Object.entries(fields)) await guest.page.locator(`input[name=${name}]`).fill(value)
  await guest.page.locator('main button').first().click()
  await guest.page.waitForURL(/\/w\//)
  await guest.close()
  return open(rig, slug, email)
}

const everybody = [
  'Overview',
  'Stats',
  'Campaigns',
  'Integrations',
  'Syncs',
  'Imports',
  'Exports',
  'Anomalies',
  'Automation rules',
  'Invoices',
  'Sub-affiliates',
  'Commission plans',
  'Payouts',
  'Event catalog',
  'Connected apps',
]
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
  deepEqual([role, shown], [role, new Set(manages ? [...everybody, ...managers] : everybody)])

  for (const [name, { path, call, code }] of Object.entries(behind)) {
    if (manages) continue
    await page.goto(urlOf(path))
    await page.getByRole('heading', { level: 1, name: 'Your role cannot open this page' }).waitFor()
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

/** U14: the tab of the former workspace writes nothing into the new one; it says so and keeps what was typed. Of a switch that fails a note tells. */
export async function switchBesideAnotherTab(rig: ConsoleRig): Promise<void> {
  const [first, second] = [await makeTeam(rig, 'business'), await makeTeam(rig, 'business')]
  const { visitor, urlOf } = first.owner
  const { page: stale } = visitor
  try {
    const made = await settings(second.owner.visitor, rig, 'POST', '/v1/members/invitations', { role: 'owner' })
    // Without the message from tab to tab, as after a crash of the browser's channel.
    const deaf = await stale.context().newPage()
    await deaf.addInitScript(
      'delete globalThis.BroadcastChannel; globalThis.BroadcastChannel = class { postMessage() {} close() {} }',
    )
    for (const page of [stale, deaf]) {
      await page.goto(urlOf('api-keys/new'))
      await page.getByRole('textbox', { name: 'Name' }).fill('Typed before')
      await page.getByRole('checkbox').first().check()
    }
    const other = await stale.context().newPage()
    await other.goto(made.body.link)
    await other.locator('main button').first().click()
    // Joining has made the new workspace the current one; switched again, as from the menu.
    await other.goto(urlOf(''))
    await other.getByRole('button', { name: /^Switch to Team/ }).click()
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // A search that is typed is one step to go back by, not one for each key.
    await other.goto(urlOf('event-catalog'))
    await other.getByRole('searchbox').pressSequentially('sync')
    await other.waitForURL(/q=sync$/)
    await other.goBack()
    await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    // A switch that fails says so, and can be tried again.
    await other.route('**/v1/session/switch', (route) => route.abort())
    await other.getByRole('button', { name: /^Workspace: Team/ }).click()
    await other.getByRole('menuitem', { name: second.slug.replace('team-', 'Team ') }).click()
    const again = other.getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await other.unroute('**/v1/session/switch')
    await again.click()
    await other.waitForURL(new RegExp(`/w/${second.slug}`))

    await stale.getByText('The workspace was switched in another tab').waitFor()
    for (const page of [stale, deaf]) {
      await page.getByRole('button', { name: 'Create a key' }).click()
      await page.getByRole('alert').first().waitFor()
      equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Typed before')
    }
    for (const { owner } of [first, second]) {
      const { body } = await settings(owner.visitor, rig, 'GET', '/v1/api-keys')
      deepEqual(
        (body.data as { name: string }[]).map(({ name }) => name).filter((name) => name === 'Typed before'),
        [],
      )
    }
    await stale.getByRole('button', { name: 'Reload this page' }).click()
    await stale.getByRole('heading', { level: 1, name: /^This link belongs to Team/ }).waitFor()
  } finally {
    await visitor.close()
    await second.owner.visitor.close()
  }
}
