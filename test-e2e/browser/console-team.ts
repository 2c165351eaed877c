// A workspace with people of every role, for what the console shows and the API refuses to each of them.

import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Plan, Role } from '@wds/contracts/roles'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { Visitor } from './chromium.ts'
import { type ConsoleRig, signIn } from './console-rig.ts'

const password = 'a password of the team'

export interface Person {
  email: string
  visitor: Visitor
  /** Address of a page of the workspace. */
  urlOf(path: string): string
}

/** Made by the operator, as a workspace of its own: the sample stays as it is. */
export async function makeTeam(rig: ConsoleRig, plan: Plan): Promise<{ id: string; slug: string; owner: Person }> {
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

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any
}

/** Calls the settings API in the session of the page's browser, from outside of the page: so the page's own rules do not count. */
export async function settings(
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
  const answer = await page.request.fetch(at, withoutUndefined({ method, headers: { ...headers, ...type }, data }))
  return { status: answer.status(), body: await answer.json().catch(() => ({})) }
}

/** Calls the other services as the pages do: with a console token. */
export async function resources(
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
  const answer = await visitor.page.request.fetch(
    `${rig.at.base_url}${path}`,
    withoutUndefined({
      method,
      headers,
      data,
    }),
  )
  return { status: answer.status(), body: await answer.json().catch(() => ({})) }
}

export async function inviteAndJoin(rig: ConsoleRig, owner: Person, slug: string, role: Role): Promise<Person> {
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
