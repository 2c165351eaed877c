// The built documentation in a real Chromium, served as the console serves it: a few pages of each kind (docs.md 4).
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { defaultLimits } from '@wds/http-service/limits'
import { closeListener, createListener, listen } from '@wds/http-service/listener'
import { createLogger } from '@wds/telemetry/logger'
import type { Browser, Page } from 'playwright-core'
import { openDocs } from '../../services/console/src/docs-site.ts'
import { serveSite } from '../../services/console/src/site.ts'
import { root } from '../harness/standalone.ts'
import { accessibilityFaults, launchChromium, openVisitor, type Visitor } from './chromium.ts'

const pages = [
  ['start', '/docs/'],
  ['how-to', '/docs/how-to/verify-signatures/'],
  ['errors', '/docs/reference/errors/'],
  ['error', '/docs/reference/errors/insufficient_scope/'],
  ['event', '/docs/reference/events/sync.completed/'],
  ['routes', '/docs/reference/scopes-and-routes/'],
  ['design', '/docs/design/architecture/'],
  ['diagram', '/docs/explanation/a-delivery/'],
  ['explanation', '/docs/explanation/threat-model/'],
  ['decision', '/docs/decisions/0110-the-site-is-built-by-starlight/'],
  ['runbook', '/docs/runbook/dead-letters-rise/'],
  ['changelog', '/docs/changelog/'],
] as const

const wide = { width: 1280, height: 900 }
const narrow = { width: 320, height: 900 }

let browser: Browser
let server: Server
let url: string
beforeAll(async () => {
  const program = join(root, 'packages/docs/src/site/build.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  const docs = openDocs(stdout.trim())
  const logger = createLogger({ service: 'console', destination: { write: () => true } })
  const baseUrl = 'http://127.0.0.1'
  const site = { document: '', assets: new Map() }
  server = createListener(serveSite(site, docs, { baseUrl }), { baseUrl, logger, limits: defaultLimits })
  url = `http://127.0.0.1:${await listen(server, { host: '127.0.0.1', port: 0 })}`
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  if (server !== undefined) await closeListener(server, 0)
})

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.WDS_TEST_SHOTS
  if (folder) await page.screenshot({ path: join(folder, `docs-${name}.png`) })
}

describe('in light and in dark', () => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await openVisitor(browser, { javaScriptEnabled: true })
  })
  afterAll(() => visitor?.close())

  test.each(pages)(
    'U01, U02, U04: %s: axe finds nothing, the CSP refuses nothing, nothing comes from elsewhere, it fits 320 px, it names the version',
    async (name, path) => {
      const { page, faults } = visitor
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(wide)
      await page.goto(url + path)
      await shoot(page, `${name}-light-wide`)
      const light = await accessibilityFaults(page)
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
      expect(await page.locator('.version').textContent()).toContain(`version ${version}`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html[data-theme=dark]').waitFor()
      await shoot(page, `${name}-dark-wide`)
      const dark = await accessibilityFaults(page, 'colours')
      await page.setViewportSize(narrow)
      await shoot(page, `${name}-dark-narrow`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width)
      // What a narrow window breaks does not depend on the colours: one scheme is enough.
      const thin = await accessibilityFaults(page, 'width')
      expect({ light, dark, thin, faults }).toEqual({ light: [], dark: [], thin: [], faults: [] })
    },
  )
})

describe('with scripts', () => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await openVisitor(browser, { javaScriptEnabled: true, viewport: wide })
  })
  afterAll(() => visitor?.close())

  test('search finds a page without a server, by the keyboard', async () => {
    const { page, faults } = visitor
    await page.goto(`${url}/docs/`)
    // It is loaded when the page has nothing else to do.
    await page.locator('#starlight__search input').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open] input').fill('standard webhooks')
    const found = page.locator('dialog').getByRole('link', { name: 'Verify signatures' })
    await found.first().waitFor()
    await shoot(page, 'search')
    expect(await accessibilityFaults(page)).toEqual([])
    await found.first().click()
    await page.waitForURL(/verify-signatures/)
    expect(faults).toEqual([])
  })

  test.each([
    ['PKCE', 'Let an app act for a user', '/docs/how-to/let-an-app-act-for-a-user/'],
    ['openapi', 'API (OpenAPI)', '/docs/api/'],
    ['asyncapi', 'Event log (AsyncAPI)', '/docs/event-log/'],
    ['revoked token', 'Let an app act for a user', '/docs/how-to/let-an-app-act-for-a-user/'],
    ['subscription', 'webhook subscription', '/docs/how-to/filter-rotate-and-test-a-webhook/'],
  ])(
    'regression: search for %s shows what users look for before designs and decisions',
    async (words, title, place) => {
      const { page } = visitor
      await page.goto(`${url}/docs/`)
      await page.locator('#starlight__search input').waitFor({ state: 'attached' })
      await page.keyboard.press('Control+k')
      await page.locator('dialog[open] input').fill(words)
      await page.locator('dialog').getByRole('link', { name: title }).first().waitFor()
      const first = page.locator('dialog .pagefind-ui__result-link').first()
      expect(await first.getAttribute('href')).toBe(place)
    },
  )

  test('a chosen scheme is kept, whatever the system says', async () => {
    const { page } = visitor
    await page.goto(`${url}/docs/changelog/`)
    await page.getByRole('combobox').first().selectOption('dark')
    await page.goto(`${url}/docs/`)
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  test('code is copied as it stands', async () => {
    const { page } = visitor
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${url}/docs/reference/events/sync.completed/`)
    await page.locator('.copy button').first().click()
    await page.getByText('Copied!').first().waitFor()
    expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toMatchObject({ type: 'sync.completed' })
  })

  // Of its structure (order of headings, landmarks) Redoc decides: what WCAG asks for is judged.
  test('in light and in dark the pages of the API and of the event log meet WCAG, fit 320 px, and load nothing from elsewhere', async () => {
    const { page, faults } = visitor
    for (const [path, heading] of [
      ['/docs/api/#/webhooks/createwebhook', /Makes a subscription/],
      ['/docs/event-log/', /event log/],
    ] as const) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(wide)
      await page.goto('about:blank')
      await page.goto(url + path)
      await page.getByRole('heading', { name: heading }).first().waitFor()
      await page
        .getByText(/^Search/)
        .first()
        .waitFor()
      await shoot(page, `${path.split('/')[2]}-light`)
      const light = await accessibilityFaults(page, 'wcag')
      // Redoc takes the scheme as it is when the page is loaded.
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.reload()
      await page.locator('html.dark').waitFor()
      await page.getByRole('heading', { name: heading }).first().waitFor()
      await shoot(page, `${path.split('/')[2]}-dark`)
      const dark = await accessibilityFaults(page, 'colours')
      expect([path, light, dark]).toEqual([path, [], []])
      expect(await page.locator('.version').textContent()).toMatch(/^version /)
      await page.setViewportSize(narrow)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width)
    }
    expect(faults).toEqual([])
  })
})

describe.each(['light', 'dark'] as const)('in %s the page that tries a call', (colorScheme) => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await openVisitor(browser, { javaScriptEnabled: true, colorScheme, viewport: wide })
  })
  afterAll(() => visitor?.close())

  test('meets WCAG, fits 320 px, sends the key to its own origin alone, and keeps nothing', async () => {
    const { page, faults } = visitor
    await page.goto(`${url}/docs/try/`)
    await page.getByLabel('API key or access token').fill('wdk_test_of_the_reader')
    await page
      .getByLabel('Call', { exact: true })
      .selectOption({ label: 'PATCH /v1/webhooks/:id (Changes a subscription)' })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('id is needed.').waitFor()
    await page.getByLabel('id', { exact: true }).fill('whk_a/b')
    await page.getByLabel('Body, as JSON').fill('{"events": ["*"]}')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Send' }).click()
    const request = await sent
    const headers = await request.allHeaders()
    expect([request.url(), request.postData()]).toEqual([`${url}/v1/webhooks/whk_a%2Fb`, '{"events": ["*"]}'])
    expect([headers.authorization, headers.cookie, headers.referer]).toEqual([
      'Bearer wdk_test_of_the_reader',
      undefined,
      undefined,
    ])
    // Nobody but the documentation is here: who takes the call refuses its method.
    await page.getByText('405 Method Not Allowed').waitFor()
    expect(await page.getByLabel('Text of the answer').inputValue()).toContain('"code": "method_not_allowed"')
    await shoot(page, `try-${colorScheme}`)
    expect(await accessibilityFaults(page, colorScheme === 'light' ? 'all' : 'colours')).toEqual([])
    await page.setViewportSize(narrow)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width)
    expect(await accessibilityFaults(page, 'width')).toEqual([])
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, ''])
    await page.goto(`${url}/docs/`)
    await page.goBack()
    expect(await page.getByLabel('API key or access token').inputValue()).toBe('')
    expect(faults.filter((fault) => !fault.includes('405'))).toEqual([])
  })
})

test('without scripts a page and its navigation are read', async () => {
  const visitor = await openVisitor(browser, { viewport: wide })
  await visitor.page.goto(`${url}/docs/`)
  await visitor.page.getByRole('link', { name: 'Verify signatures' }).first().click()
  expect(await visitor.page.getByRole('heading', { level: 1 }).textContent()).toBe('Verify signatures')
  expect(visitor.faults).toEqual([])
  await visitor.close()
})

test.each(['/docs/llms.txt', '/llms.txt'])('%s lists every page of the navigation', async (list) => {
  const text = await (await fetch(`${url}${list}`)).text()
  for (const [, path] of pages.slice(1)) expect(text).toContain(`(${path})`)
})
