/** What the tutorials and how-tos tell their readers to do, done: page by page from an empty folder, on the product as `npm start` starts it. */
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeTestPorts } from '@wds/local-infra/test-ports'
import type { Browser } from 'playwright-core'
import { readPage } from '../../packages/docs/src/pages/read-page.ts'
import { launchChromium, openVisitor } from '../browser/chromium.ts'
import { makePlace, type Place, root, type Standalone, startStandalone } from '../harness/standalone.ts'
import { makeWorkspace } from '../harness/workspaces.ts'
import { browseAs } from './browse.ts'
import { packNodeClient, packPythonClient } from './install-client.ts'
import { otherPages, runPages } from './pages.ts'
import { type Answered, missedIn, type Recorded, sendCalls } from './replay-calls.ts'
import { runPage } from './run-page.ts'

const docs = join(root, 'packages/docs')
/** What its reader does in the folder of the repository, here from the empty one. */
const checkout = { 'npm run ': `npm --prefix '${root}' run `, ' packages/cli/': ` '${root}'/packages/cli/` }
const read = (page: string) => readFileSync(join(docs, page), 'utf8')

let place: Place
let product: Standalone
let ports: Awaited<ReturnType<typeof takeTestPorts>>
let packed: string
let browser: Browser
/** By the name under which a page installs it: what takes the place of the registry's. */
let clients: Record<string, string>
beforeAll(async () => {
  packed = mkdtempSync(join(tmpdir(), 'wds packed '))
  clients = {
    '--silent @wds/api-client': `--silent --offline '${packNodeClient(packed)}'`,
    '--quiet --disable-pip-version-check workspace-data-service': `--quiet --disable-pip-version-check --no-index '${packPythonClient(packed)}'`,
  }
  place = await makePlace()
  product = await startStandalone(place)
  browser = await launchChromium()
  ports = await takeTestPorts()
})
afterAll(async () => {
  await browser?.close()
  await product?.stop()
  ports?.release()
  place?.remove()
  rmSync(packed, { recursive: true, force: true })
})

/** What the `export` line of a start sets, of a workspace that nobody else has. */
async function variablesOf(page: string, isOwners = false): Promise<Record<string, string>> {
  // The receiver is everybody's: each page finds it as a start leaves it, whatever the one before did.
  const control = JSON.stringify({ mode: 'ok', secret: null })
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch(`${product.at.receiver_url}/control`, { method: 'POST', headers, body: control })
  if (!ok) throw new Error('the receiver takes no control')
  // The Node.js of the machine, as its reader has it, and not the project's own.
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(root))
  const own = {
    ...product.env,
    BASE: product.at.base_url,
    RECEIVER: product.at.receiver_url,
    PATH: folders.join(delimiter),
  }
  if (isOwners) return { ...own, KEY: product.at.api_key, INTEGRATION: product.at.integration_id }
  const { client, key } = await makeWorkspace(product, page)
  const { body, status } = await client('/v1/integrations', {
    json: { name: 'Upload', provider: 'csv_upload', brand_slug: 'acme', currency: 'EUR', source_time_zone: 'UTC' },
  })
  if (status !== 201) throw new Error(`no integration: ${JSON.stringify(body)}`)
  return { ...own, KEY: key, INTEGRATION: body.id }
}

const runs = runPages.flatMap(({ page, isOwners, variants = [{}] }) =>
  variants.map((instead) => ({ page, isOwners, instead, name: [page, ...Object.values(instead)].join(': ') })),
)

test.each(runs)('$name', async ({ page, isOwners, instead }) => {
  const markdown = read(page)
  // What is said instead is for the reader, too.
  for (const other of Object.values(instead)) expect(markdown).toContain(`\`${other}\``)
  const visitor = await openVisitor(browser)
  await runPage(markdown, {
    env: await variablesOf(page, isOwners),
    instead: { ...clients, ...checkout, ...instead },
    port: await ports.next(),
    browse: browseAs(visitor.page, product.at),
    by: async (step) => {
      // The readme journey does it, from a fresh clone.
      if (!('terminal' in step) || step.terminal !== 'service') return false
      expect(step).toMatchObject({ commands: 'npm start\n' })
      return true
    },
  }).finally(visitor.close)
})

test('the page that tries a call is answered by the API at its address', async () => {
  // `npm start` builds it in the background; here whoever comes first.
  await promisify(execFile)(process.execPath, [join(docs, 'src/site/build.ts')])
  const { KEY = '', BASE } = await variablesOf('try a call')
  const { page, faults, close } = await openVisitor(browser, { javaScriptEnabled: true })
  await page.goto(`${BASE}/docs/try/`)
  await page.getByLabel('API key or access token').fill(KEY)
  await page.getByLabel('Call', { exact: true }).selectOption({ label: 'GET /v1/integrations (Lists integrations)' })
  await page.getByLabel('limit').fill('1')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('200').waitFor()
  expect(JSON.parse(await page.getByLabel('Text of the answer').inputValue())).toMatchObject({
    object: 'list',
    data: [{ object: 'integration', name: 'Upload' }],
  })
  expect(faults).toEqual([])
  await close()
})

const oldClients = globSync('*.*.*.json', { cwd: join(import.meta.dirname, 'old-clients') })

test.each(oldClients)('C82: the calls of a client of %s are answered as then', async (file) => {
  const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'old-clients', file), 'utf8')) as Recorded[]
  const answers = await sendCalls(recorded, await variablesOf(file))
  const missed = recorded.flatMap(({ call, answer }, nth) =>
    missedIn(answer, answers[nth] as Answered).map((what) => `${call}: ${what}`),
  )
  expect(missed).toEqual([])
  expect(recorded.length).toBeGreaterThan(20)
})

test('every page with commands for its reader is run, or somebody else sees to it', () => {
  const pages = globSync('{tutorials,how-to}/*.md', { cwd: docs }).map((page) => page.replaceAll('\\', '/'))
  const withCommands = pages.filter((page) => readPage(read(page)).some(({ kind }) => kind === 'run'))
  const told = [...runPages.map(({ page }) => page), ...Object.keys(otherPages)]
  expect(told.toSorted()).toEqual(withCommands.toSorted())
})
