// Drives a real Chromium that reaches nothing but loopback. What a person's browser would complain about fails the test.
import { findChromium } from '@wds/local-infra/chromium'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/**
 * Launches the browser of a suite; give `beforeAll` 400 s, since a machine without Chromium installs it first. After everything else that
 * the suite starts, never beside it: where one of them failed, nobody would close the browser, and it would hold the run.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium((line) => void process.stderr.write(`${line}\n`))
  return await chromium.launch({
    executablePath,
    // Chromium's sandbox refuses to run as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
  })
}

/** One person's browser: cookies of their own, scripts off unless told. */
export interface Visitor {
  page: Page
  /** What went wrong so far: messages of the console (refusals by the CSP among them), uncaught errors, calls that left loopback. */
  faults: string[]
  close(): Promise<void>
}

/** Opens a browser profile with one tab. */
export async function openVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ javaScriptEnabled: false, ...options })
  // Above what a page takes on a busy machine.
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`))
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    // A picture that was chosen is shown from the page's own memory.
    if (protocol === 'blob:') return
    if (!['localhost', '127.0.0.1'].includes(hostname)) faults.push(`call to ${hostname}`)
  })
  const close = async () => {
    // An answer that a test changes may be under way: what its page is closed upon fails no test.
    await Promise.all(context.pages().map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })))
    await context.close()
  }
  return { page, faults, close }
}

/** Rules of WCAG 2.2 AA (ui.md U01), and then of good practice. */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const tags = [...wcag, 'best-practice']

/** Those of them that a change of colours alone can break. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** Those that a narrow window alone can break. */
const widthRules = ['scrollable-region-focusable', 'target-size']

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/**
 * What axe finds on the page, one line each: the rule and the first element. None is good. `colours` and `width`: only what depends
 * on the colour scheme or on the width of the window, for a page that was judged in another one. `wcag`: without good practice. It needs a visitor with scripts on.
 */
export async function accessibilityFaults(
  page: Page,
  scope: 'all' | 'wcag' | 'colours' | 'width' = 'all',
): Promise<string[]> {
  // Half a megabyte of source: once for each page that was loaded.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const options = {
    // What passed is not listed: it would take most of the time, here and on its way from the browser.
    resultTypes: ['violations'],
    runOnly:
      scope === 'all' || scope === 'wcag'
        ? { type: 'tag', values: scope === 'wcag' ? wcag : tags }
        : { type: 'rule', values: scope === 'colours' ? colourRules : widthRules },
  }
  const violations: Violation[] = await page.evaluate(
    // biome-ignore lint/suspicious/noExplicitAny: axe put itself there
    (asked) => (globalThis as any).axe.run(asked).then((found: { violations: Violation[] }) => found.violations),
    options,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`)
}
