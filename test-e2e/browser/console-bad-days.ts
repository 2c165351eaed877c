// The console on bad days (ui.md U11): a refusal, an API that is away, no network. Each throws where something is not as it must be.
import { deepEqual, equal, match } from 'node:assert/strict'
import type { Route } from 'playwright-core'
import { requireAccessible } from './console-journeys.ts'
import type { ConsoleRig } from './console-rig.ts'
import { seedDeadLetters } from './console-seed.ts'
import { changing, heading } from './console-views.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Body = any

const problemOf = (status: number, code: string, headers: Record<string, string> = {}) => ({
  status,
  headers,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'x', title: 'Refused', status, detail: `It is ${code}.`, code }),
})

/** U11: 429 and an API that is away keep what was typed and can be tried again; a slow answer has its place and overwrites nothing that was typed meanwhile; a broken answer stays on its page. */
export async function meetBadDays(rig: ConsoleRig): Promise<void> {
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.goto(rig.urlOf('webhooks/new'))
  await page.getByLabel('Endpoint URL').fill('https://example.com/typed')
  await page.getByLabel(/^sync\.\*/).check()
  const create = page.getByRole('button', { name: 'Create subscription' })
  const isPost = (route: Route) => route.request().method() === 'POST'
  const keys: (string | undefined)[] = []
  await page.route('**/v1/webhooks', async (route) => {
    if (!isPost(route)) return await route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    await (keys.length === 1 ? route.fulfill(problemOf(429, 'rate_limited', { 'retry-after': '2' })) : route.abort())
  })
  await create.click()
  await page.getByText('It is rate_limited.').waitFor()
  equal(await page.getByRole('button', { name: /^Try again in \d s$/ }).isDisabled(), true)
  await requireAccessible(page)
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await page.getByText('No answer came').waitFor()
  await requireAccessible(page)
  equal(await page.getByLabel('Endpoint URL').inputValue(), 'https://example.com/typed')
  equal(await page.getByLabel(/^sync\.\*/).isChecked(), true)
  // The same wish, tried again, has the same key: what arrived once takes effect once.
  deepEqual([new Set(keys).size, keys.length >= 2, typeof keys[0]], [1, true, 'string'])
  await page.unroute('**/v1/webhooks')

  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/v1/integrations?**', async (route) => {
    await asked
    await route.fallback()
  })
  await page.route('**/v1/integrations', async (route) => {
    await asked
    await route.fallback()
  })
  await page.getByRole('link', { name: 'Integrations' }).click()
  await page.locator('[aria-busy=true]').first().waitFor()
  await heading(page, 'Integrations')
  answer()
  await page.getByRole('link', { name: 'Sample upload' }).waitFor()

  // What is typed while a form is being saved outlives the answer.
  let save = () => {}
  const saving = new Promise<void>((resolve) => {
    save = resolve
  })
  await page.route('**/v1/settings', async (route) => {
    if (route.request().method() !== 'PATCH') return await route.fallback()
    await saving
    const { body } = await rig.client('/v1/settings')
    await route.fulfill({ json: { ...body, ...route.request().postDataJSON() } })
  })
  await page.getByRole('link', { name: 'Workspace settings' }).click()
  const settings = page.locator('form').filter({ has: page.getByLabel('Base currency') })
  await settings.getByLabel('Base currency').fill('usd')
  await settings.getByRole('button', { name: 'Save' }).click()
  await settings.getByRole('button', { name: 'Save' }).and(page.locator('[data-loading]')).waitFor()
  await settings.getByLabel('Base currency').fill('gbp')
  save()
  await page.getByText('The settings are saved').waitFor({ state: 'attached' })
  equal(await settings.getByLabel('Base currency').inputValue(), 'GBP')
  await page.unroute('**/v1/settings')

  faults.length = 0
  await page.route('**/v1/connected-apps**', (route) => route.fulfill({ json: { data: [{}], next_cursor: null } }))
  await page.getByRole('link', { name: 'Connected apps' }).click()
  await page.getByText('This page met an error of its own').waitFor()
  equal(faults.length > 0, true)
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('link', { name: 'sample key' }).waitFor()
  await close()
}

/** 10,000 dead letters: the number is written, and must be typed before they are all sent again. */
export async function meetTenThousandDeadLetters(rig: ConsoleRig): Promise<void> {
  await seedDeadLetters(rig)
  const { page, faults, close } = await rig.openOwner({ reducedMotion: 'reduce' })
  await page.route(
    '**/v1/dead-letters/causes**',
    changing((body) => ({ ...body, data: body.data.map((cause: Body) => ({ ...cause, count: 10_000 })) })),
  )
  await page.route('**/v1/replays', async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback()
    await changing((plan) => ({ ...plan, matched: 10_000 }))(route)
  })
  await page.goto(rig.urlOf('dead-letters'))
  await page.getByRole('link', { name: /: 10,000 deliveries$/ }).waitFor()
  await page.getByRole('button', { name: 'Retry all of this filter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retry deliveries' })
  const confirm = dialog.getByRole('button', { name: 'Retry 10,000 deliveries' })
  await confirm.waitFor()
  await requireAccessible(page)
  await confirm.click()
  match((await dialog.getByText(/^This is not /).textContent()) ?? '', /10,?000/)
  deepEqual(faults, [])
  await close()
}

/** Offline is told; an API that is away is a note on the page alone, which can be tried again. */
export async function goOffline(rig: ConsoleRig): Promise<void> {
  const visitor = await rig.openOwner()
  const { page } = visitor
  await page.goto(rig.urlOf(''))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.context().setOffline(true)
  await page.getByText(/^You are offline/).waitFor()
  await page.context().setOffline(false)
  await page.getByText(/^You are offline/).waitFor({ state: 'hidden' })
  const away = { status: 503, contentType: 'application/problem+json', headers: { 'retry-after': '2' } }
  const problem = { type: 'x', title: 'Unavailable', status: 503, detail: 'A part is away.', code: 'unavailable' }
  await page.route('**/v1/webhooks**', (route) => route.fulfill({ ...away, body: JSON.stringify(problem) }))
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await page.getByText('A part is away.').waitFor()
  equal(await page.getByRole('button', { name: /^Try again in \d s$/ }).isDisabled(), true)
  await page.unroute('**/v1/webhooks**')
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await page.getByText('A part is away.').waitFor({ state: 'hidden' })
  await visitor.close()
}
