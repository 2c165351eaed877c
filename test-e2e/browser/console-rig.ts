// The console as people get it: the program behind `npm start` and a browser, one start for a whole suite. Signing in is done once
// for several visits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { type Client, clientOf } from '../harness/client.ts'
import { type Addresses, makePlace, type Place, startStandalone } from '../harness/standalone.ts'
import { createUndo } from '../harness/undo.ts'
import { launchChromium, openVisitor, type Visitor } from './chromium.ts'

export interface ConsoleRig {
  at: Addresses & { console_url: string }
  browser: Browser
  /** Calls the REST API with the sample workspace's key. */
  client: Client
  /** Slug of the sample workspace. */
  slug: string
  /** The owner's browser, scripts on, signed in a few minutes ago at most: what it writes may ask for a recent sign-in (decision 95). */
  openOwner(options?: BrowserContextOptions): Promise<Visitor>
  /** Gives the operator's command to the internal listener. @throws Error when it is refused */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  operate(path: string, body: object): Promise<any>
  /** The superuser's address of the database, for what must stand still while somebody looks. */
  databaseUrl: string
  /** A browser of nobody. */
  openStranger(options?: BrowserContextOptions): Promise<Visitor>
  /** Address of a page of the sample workspace. */
  urlOf(path: string): string
  stop(): Promise<void>
}

/** A session is handed out for so long: half of what counts as recent, the rest is for what is done in it. */
const handedOutMs = 5 * 60_000

/** Give `beforeAll` 400 s: a machine without Chromium installs it first. `env`: further settings of the services. */
export async function startConsoleRig(env: Record<string, string> = {}): Promise<ConsoleRig> {
  const { undo, stop } = createUndo()
  try {
    const place = await makePlace(env)
    undo.push(() => place.remove())
    const standalone = await startStandalone(place)
    undo.push(async () => void (await standalone.stop()))
    const browser = await launchChromium()
    undo.push(() => browser.close())
    const at = standalone.at as ConsoleRig['at']
    const openStranger = (options: BrowserContextOptions = {}) =>
      openVisitor(browser, { javaScriptEnabled: true, ...options })
    let owner = await signInOwner(await openStranger(), at)
    const { slug } = owner
    return {
      at,
      browser,
      slug,
      openStranger,
      stop,
      operate: operatorOf(place),
      client: clientOf(at),
      databaseUrl: JSON.parse(readFileSync(join(place.dataDirectory, 'migrated'), 'utf8')).adminUrl,
      async openOwner(options = {}) {
        if (performance.now() - owner.sinceMs > handedOutMs) owner = await signInOwner(await openStranger(), at)
        return openStranger({ storageState: owner.storageState, ...options })
      },
      urlOf: (path) => `${at.base_url}/w/${slug}/${path}`,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The session that a visitor of nobody begins as the sample workspace's owner. Closes the visitor. */
async function signInOwner(visitor: Visitor, at: ConsoleRig['at']) {
  const { page } = visitor
  try {
    await page.goto(at.console_url)
    const sinceMs = performance.now()
    await signIn(visitor, at)
    await page.waitForURL(/\/w\//)
    const slug = new URL(page.url()).pathname.split('/')[2] as string
    return { slug, sinceMs, storageState: await page.context().storageState() }
  } finally {
    await visitor.close()
  }
}

function operatorOf({ dataDirectory }: Place): ConsoleRig['operate'] {
  const { url, token } = JSON.parse(readFileSync(join(dataDirectory, 'operator.json'), 'utf8'))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (path, body) => {
    const signal = AbortSignal.timeout(60_000)
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
    const made = await answer.json()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(made)}`)
    return made
  }
}

/** Fills in the sign-in that the page shows, as the sample workspace's owner unless told. */
export async function signIn(
  { page }: Visitor,
  { owner_email: email = '', owner_password: password = '' }: Pick<Addresses, 'owner_email' | 'owner_password'>,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
