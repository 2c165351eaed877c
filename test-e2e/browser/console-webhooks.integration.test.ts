// Webhooks in the console as a person uses them (ui.md U06, U08, U09, U12, U13, U15): real services, a real browser, no fault in its console.
import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { receivedBy } from '../harness/client.ts'
import { eventually } from '../harness/standalone.ts'
import { accessibilityFaults, type Visitor } from './chromium.ts'
import { retryCauses, setReceiver } from './console-dead-letter-journey.ts'
import { type ConsoleRig, startConsoleRig } from './console-rig.ts'

const run = promisify(execFile)

let rig: ConsoleRig
let visitor: Visitor
let page: Page

beforeAll(async () => {
  // What fails is given up after three attempts: hundreds of deliveries are.
  rig = await startConsoleRig({ WDS_DELIVERY_DELAYS: '200ms,200ms', WDS_DELIVERY_ATTEMPTS: '3' })
})
afterAll(() => rig?.stop())
beforeEach(async () => {
  visitor = await rig.openOwner({ reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } })
  page = visitor.page
})
afterEach(async () => {
  const { faults } = visitor
  await visitor.close()
  expect(faults).toEqual([])
})

const control = (body: object) => setReceiver(rig, body)
const drawer = () => page.getByRole('dialog', { name: 'Delivery' })
const button = (name: string | RegExp) => page.getByRole('button', { name })

/** Makes a subscription by the form; gives its id and its secret, which is stored and gone from the page then. */
async function subscribe(url: string, wildcard: string): Promise<{ id: string; secret: string }> {
  await page.goto(rig.urlOf('webhooks/new'))
  await page.getByLabel('Endpoint URL').fill(url)
  await page.getByLabel(new RegExp(`^${wildcard.replaceAll(/[.*]/g, '\\$&')}:`)).check()
  await button('Create subscription').click()
  const dialog = page.getByRole('dialog', { name: 'Your signing secret' })
  await dialog.waitFor()
  expect(await dialog.textContent()).not.toMatch(/whsec_\S{16}/)
  await button('Show').click()
  const secret = (await dialog.locator('pre').first().textContent()) ?? ''
  expect(secret).toMatch(/^whsec_\S{16}/)
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByLabel('I have stored it').check()
  await button('Done').click()
  await page.getByRole('heading', { level: 1, name: new URL(url).host }).waitFor()
  return { id: new URL(page.url()).pathname.split('/')[4] as string, secret }
}

test('U06, U12: a subscription is made, tested, fails, is found, repaired, retried to delivered; its secret was shown once', async () => {
  await control({ mode: 'fail' })
  const { id, secret } = await subscribe(`${rig.at.receiver_url}/hooks/journey`, 'invoice.*')
  await button('Send test event').click()
  await page.getByText('Answered with 500', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByText('Delivery failed', { exact: true }).click()
  await page.getByRole('link', { name: /open the delivery/ }).click()
  await drawer().getByRole('heading', { name: 'Attempts' }).waitFor()
  const deliveryId = new URL(page.url()).pathname.split('/').at(-1) as string
  await eventually(
    'all attempts failed',
    async () => (await rig.client(`/v1/deliveries/${deliveryId}`)).body.status === 'dead',
  )
  await page.reload()
  await drawer().getByText('Attempt 3', { exact: true }).waitFor()
  const { body: dead } = await rig.client(`/v1/deliveries/${deliveryId}`)
  expect(
    await drawer()
      .getByText(/^Attempt \d$/)
      .count(),
  ).toBe(dead.attempts.length)

  await control({ mode: 'ok' })
  await drawer().getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('dialog', { name: 'Retry this delivery?' }).getByRole('button', { name: 'Retry' }).click()
  await drawer().getByText('delivered', { exact: true }).waitFor()
  const { body: delivered } = await rig.client(`/v1/deliveries/${deliveryId}`)
  expect([delivered.status, delivered.epoch]).toEqual(['delivered', 2])
  expect(
    await drawer()
      .getByText(/^Attempt \d$/)
      .count(),
  ).toBe(delivered.attempts.length)
  expect(
    await drawer()
      .getByText(/^Retry by/)
      .count(),
  ).toBe(1)

  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'hidden' })

  await page.goto(rig.urlOf(`webhooks/${id}/settings`))
  await page.getByRole('heading', { name: 'Signing secrets' }).waitFor()
  const kept = await page.evaluate(
    'JSON.stringify([document.documentElement.outerHTML, location.href, document.title, {...localStorage}, {...sessionStorage}, history.state])',
  )
  expect(kept).not.toContain(secret)
  const caches = await page.evaluate('caches.keys()')
  expect(caches).toEqual([])
})

test('regression: a test event is offered once the catalog is there', async () => {
  const { id } = await subscribe(`${rig.at.receiver_url}/hooks/early`, 'invoice.*')
  const { promise: asked, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/v1/event-types?**', (route) => asked.then(() => route.fallback()))
  await page.goto(rig.urlOf(`webhooks/${id}`))
  const send = button('Send test event')
  await send.waitFor()
  expect([await send.getAttribute('aria-disabled'), await send.getAttribute('title')]).toEqual([
    ...['true', 'There is no event type to choose yet.'],
  ])
  answer()
  await send.and(page.locator(':not([aria-disabled])')).click()
  await page.getByText(/^Answered with /).waitFor()
})

/** Runs the curl of the page in a shell; gives the ids of the list that it answers. */
async function idsByCurl(): Promise<string[]> {
  await button('View as curl').click()
  const text = (await page.getByRole('region', { name: 'curl' }).textContent()) ?? ''
  const { stdout } = await run('sh', ['-c', text], { env: { PATH: process.env.PATH ?? '', WDS_TOKEN: rig.at.api_key } })
  const { data = [] } = JSON.parse(stdout) as { data?: { id: string }[] }
  return data.map((one) => one.id)
}

test('U13: the curl texts of the pages do in a shell what they say', async () => {
  const { id, secret } = await subscribe(`${rig.at.receiver_url}/hooks/curl`, 'invoice.*')
  await control({ mode: 'ok', secret })
  const { body: sent } = await rig.client(`/v1/webhooks/${id}/test`, { method: 'POST' })
  await eventually(
    'it arrived',
    async () => (await rig.client(`/v1/deliveries/${sent.id}`)).body.status === 'delivered',
  )
  const first = (await receivedBy(rig.at)).find(({ path }) => path === '/hooks/curl')

  await page.goto(rig.urlOf(`webhooks/${id}/history/${sent.id}`))
  await drawer().getByRole('button', { name: 'Send it again as curl' }).click()
  const signed = (await drawer().getByRole('region', { name: 'curl' }).textContent()) ?? ''
  await run('sh', ['-c', signed], { env: { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret } })
  const arrived = (await receivedBy(rig.at)).filter(({ path }) => path === '/hooks/curl')
  expect(arrived.map(({ verified, body }) => [verified, body])).toEqual([
    [true, first?.body],
    [true, first?.body],
  ])

  await page.goto(rig.urlOf('webhooks'))
  expect(await idsByCurl()).toContain(id)
  // regression: filters have names of their own in the address of the page.
  await page.goto(rig.urlOf(`webhooks/${id}/history?event=${sent.event_id}&status=delivered`))
  expect(await idsByCurl()).toEqual([sent.id])
  await control({ secret: null })
})

test('U03: a row is found, opened, closed and retried by single keys, which can be switched off', async () => {
  const { id } = await subscribe(`${rig.at.receiver_url}/hooks/keys`, 'anomaly.*')
  await control({ mode: 'ok' })
  const { body: sent } = await rig.client(`/v1/webhooks/${id}/test`, { method: 'POST' })
  await eventually(
    'it arrived',
    async () => (await rig.client(`/v1/deliveries/${sent.id}`)).body.status === 'delivered',
  )
  await page.goto(rig.urlOf(`webhooks/${id}/history`))
  const row = page.getByRole('link', { name: /open the delivery/ })
  await row.waitFor()
  const isFocused = () => row.evaluate((element) => element.matches(':focus'))
  // regression: the drawer's code, which comes behind the key, came so late that the focus was not given back.
  const code = /delivery-drawer/
  await page.route(code, async (route) => {
    await sleep(500)
    await route.continue()
  })
  await page.keyboard.press('j')
  expect(await isFocused()).toBe(true)
  await page.keyboard.press('Enter')
  await drawer().waitFor()
  await page.unroute(code)
  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'hidden' })
  await eventually('the focus is back', isFocused)
  await page.keyboard.press('r')
  await page.getByRole('dialog', { name: 'Retry this delivery?' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await page.getByRole('switch').click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('U08: filters are in the address, back and forward restore them, and the address shows the same in a fresh session', async () => {
  const { id } = await subscribe(`${rig.at.receiver_url}/hooks/filters`, 'stats.*')
  await page.goto(rig.urlOf(`webhooks/${id}/history`))
  await page.getByText('Dead', { exact: true }).click()
  await page.waitForURL(/\?status=dead$/)
  await page.getByRole('combobox', { name: 'Event type' }).fill('stats.')
  await page.getByRole('option').first().click()
  await page.waitForURL(/status=dead&type=stats\./)
  const address = page.url()
  const chips = () => page.getByRole('button', { name: /^Remove the filter/ })
  expect(await chips().count()).toBe(2)
  await page.goBack()
  await page.waitForURL(/\?status=dead$/)
  await page.goForward()
  await page.waitForURL(address)
  await page.getByText('No delivery matches these filters').waitFor()

  const fresh = await rig.openOwner()
  await fresh.page.goto(address)
  const own = fresh.page.getByRole('button', { name: /^Remove the filter/ })
  await own.first().waitFor()
  expect(await own.allTextContents()).toEqual(await chips().allTextContents())
  await fresh.close()

  await page.goto(rig.urlOf(`webhooks/${id}/history?status=lively`))
  await page.getByText(/a value that is none of status/).waitFor()
  await button('Disable').waitFor()
})

test('U09: a hundred new deliveries move no row; they wait until they are asked for', async () => {
  const { id } = await subscribe(`${rig.at.receiver_url}/hooks/many`, 'integration.*')
  const { body: first } = await rig.client(`/v1/webhooks/${id}/test`, { method: 'POST' })
  await page.goto(rig.urlOf(`webhooks/${id}/history`))
  const row = page.getByRole('link', { name: /open the delivery/ })
  await row.focus()
  const before = await row.boundingBox()
  const make = async (n: number) => {
    const json = {
      name: `Many ${n}`,
      provider: 'csv_upload',
      brand_slug: 'acme',
      currency: 'EUR',
      source_time_zone: 'UTC',
    }
    expect((await rig.client('/v1/integrations', { json })).status).toBe(201)
  }
  for (let n = 0; n < 100; n += 10) await Promise.all(Array.from({ length: 10 }, (_, more) => make(n + more)))
  const count = async () => (await rig.client(`/v1/webhooks/${id}/deliveries?limit=100`)).body.data.length as number
  await eventually('they are delivered', async () => (await count()) === 100)
  expect([await row.count(), await row.boundingBox()]).toEqual([1, before])
  await page.getByRole('heading', { level: 1 }).focus()
  await page.mouse.move(5, 5)
  const pill = button(/^\d+ new$/)
  await pill.waitFor()
  expect(await row.getAttribute('href')).toContain(first.id)
  await pill.click()
  await expect(row.count()).resolves.toBeGreaterThan(1)
})

test('U15: hostile names, addresses and answers are shown as text, hosts as they are called', async () => {
  const hostile = `"><img src=x onerror="document.title='hit'">\u202egnp.exe\u200b`
  const answer = `<script>document.title='hit'</script>\u202e\u0007${'x'.repeat(1_048_576)}`
  const server: Server = createServer((_request, response) => response.writeHead(500).end(answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = (server.address() as AddressInfo).port
  try {
    const json = {
      url: `http://127.0.0.1:${port}/?${encodeURIComponent(hostile)}`,
      events: ['sync.*'],
      description: hostile,
    }
    const { body: made } = await rig.client('/v1/webhooks', { json })
    const { body: sent } = await rig.client(`/v1/webhooks/${made.id}/test`, { method: 'POST' })
    await eventually(
      'it was answered',
      async () => (await rig.client(`/v1/deliveries/${sent.id}`)).body.attempts[0]?.response_status === 500,
    )
    await page.goto(rig.urlOf('webhooks'))
    await page.getByText(hostile.slice(0, 12)).waitFor()
    await page.goto(rig.urlOf(`webhooks/${made.id}/history/${sent.id}`))
    await drawer().getByText("<script>document.title='hit'</script>").waitFor()
    await drawer().getByText('Cut at 1 KiB.').waitFor()
    expect(await page.title()).not.toContain('hit')
    expect(await page.locator('img').count()).toBe(0)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('U07: of dead letters in two causes one group is retried alone; a cancel stops the other; progress survives a reload', async () => {
  const { each, ...found } = await retryCauses(rig, page)
  expect(found).toEqual({ cutOff: [0, 0], left: { answering: 0, refusing: each }, canceled: true })
})
