// Every state of every page of the auth service in a real Chromium. With WDS_TEST_SHOTS=<folder> it also writes pictures of each.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { AuthService } from '../../services/auth/src/auth-service.fixture.ts'
import { accessibilityFaults, launchChromium, openVisitor, type Visitor } from './chromium.ts'
import { startGallery } from './gallery.ts'
import { states } from './states.ts'

let browser: Browser
let gallery: AuthService
beforeAll(async () => {
  gallery = await startGallery()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await gallery?.stop()
})

const wide = { width: 1280, height: 900 }
// What 400 % zoom leaves of a window of 1280 px (WCAG 1.4.10).
const narrow = { width: 320, height: 900 }

describe('in light and in dark', () => {
  let visitor: Visitor
  beforeAll(async () => {
    // axe is a script; the pages themselves have none.
    visitor = await openVisitor(browser, { javaScriptEnabled: true })
  })
  afterAll(() => visitor?.close())

  test.each(Object.keys(states))(
    'U01, U02, U04: %s: axe finds nothing, the CSP refuses nothing, it fits 320 px',
    async (state) => {
      const { page, faults } = visitor
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(wide)
      await page.goto(`${gallery.url}/states/${state}`)
      for (const summary of await page.locator('summary').all()) await summary.click()
      await shoot(page, `${state}-light-wide`)
      const light = await accessibilityFaults(page)
      // The page takes the other scheme as it stands. What is not about colours was judged in light.
      await page.emulateMedia({ colorScheme: 'dark' })
      await shoot(page, `${state}-dark-wide`)
      const dark = await accessibilityFaults(page, 'colours')
      await page.setViewportSize(narrow)
      await shoot(page, `${state}-dark-narrow`)
      expect({ light, dark }).toEqual({ light: [], dark: [] })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(narrow.width)
      expect(faults).toEqual([])
    },
  )
})

describe('with scripts off', () => {
  let visitor: Visitor
  beforeAll(async () => {
    visitor = await openVisitor(browser, { viewport: wide })
  })
  afterAll(() => visitor?.close())

  test('U16: Cancel and Allow have the same size and look', async () => {
    const { page } = visitor
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport)
      await page.goto(`${gallery.url}/states/consent`)
      const [cancel, allow] = await Promise.all(['Cancel', 'Allow'].map((name) => looksOf(page, name)))
      expect(allow).toEqual(cancel)
    }
  })

  test('U03: the keyboard reaches everything in the order of the page, and shows where it is', async () => {
    const { page } = visitor
    await page.setViewportSize(wide)
    await page.goto(`${gallery.url}/states/consent-webhooks-many-workspaces`)
    const stops: string[] = []
    for (let n = 0; n < 4; n += 1) {
      await page.keyboard.press('Tab')
      stops.push((await page.locator(':focus').textContent())?.trim() ?? '')
      expect(await styleOf(page, ':focus', ['outline-style', 'outline-width'])).toEqual(['solid', '3px'])
    }
    expect(stops).toEqual(['Not you?', 'Choose another', 'Cancel', 'Allow'])
  })

  test('the summary of errors has the focus and leads to the fields', async () => {
    const { page } = visitor
    await page.goto(`${gallery.url}/states/invitation-failed`)
    expect(await page.title()).toMatch(/^Error: /)
    expect(await page.locator(':focus').getAttribute('role')).toBe('alert')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.type('x')
    expect(await page.locator('#email').inputValue()).toContain('x')
  })

  test('U15, XO12: hostile names stay text: no script ran, nothing was loaded, no element was made of them', async () => {
    const { page, faults } = visitor
    for (const state of Object.keys(states).filter((name) => name.endsWith('-hostile'))) {
      await page.goto(`${gallery.url}/states/${state}`)
      expect(await page.locator('script, img[onerror]').count()).toBe(0)
      expect(await page.locator('body').textContent()).toContain('<script>')
    }
    expect(faults).toEqual([])
  })
})

/** Size and everything that gives a button weight. */
async function looksOf(page: Page, name: string): Promise<unknown[]> {
  const button = page.getByRole('button', { name })
  const box = await button.boundingBox()
  const style = ['color', 'background-color', 'border', 'font', 'box-shadow', 'opacity']
  return [
    Math.round(box?.width ?? 0),
    box?.height,
    box?.y,
    ...(await styleOf(page, `button:text-is("${name}")`, style)),
  ]
}

function styleOf(page: Page, selector: string, properties: string[]): Promise<string[]> {
  const read = (element: unknown, names: string[]) => {
    const style = (globalThis as unknown as StyleReader).getComputedStyle(element)
    return names.map((name) => style.getPropertyValue(name))
  }
  return page.locator(selector).evaluate(read, properties)
}

/** The part of a browser's global scope that is read there. */
type StyleReader = { getComputedStyle(element: unknown): { getPropertyValue(name: string): string } }

async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.WDS_TEST_SHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
