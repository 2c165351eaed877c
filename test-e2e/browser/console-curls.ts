// The curl texts of the console, as somebody copies them: read from its pages, and run in a shell.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/standalone.ts'
import type { ConsoleRig } from './console-rig.ts'
import { seedWebhooks } from './console-seed.ts'

const run = promisify(execFile)

/** What a command line printed. @throws Error where it ends with another status than 0, as curl does where no answer comes */
export async function runInShell(commands: string, variables: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await run('sh', ['-c', commands], { env: { ...process.env, ...variables } })
  if (stderr !== '') throw new Error(stderr)
  return stdout
}

/** Of each "View as curl" of the page, in its order. */
export async function curlsOf(page: Page): Promise<string[]> {
  const buttons = page.getByRole('button', { name: 'View as curl', exact: true })
  const texts: string[] = []
  for (let nth = 0; nth < (await buttons.count()); nth += 1) {
    // A drawer may lie over it.
    await buttons.nth(nth).dispatchEvent('click')
    const dialog = page.getByRole('dialog', { name: 'The same by the REST API' })
    texts.push((await dialog.getByRole('region', { name: 'curl', exact: true }).textContent()) ?? '')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
  }
  return texts
}

/** The code of the problem that the API answers, or null where it does what it is asked. */
export async function refusalOf(curl: string, key: string): Promise<string | null> {
  const printed = await runInShell(curl, { WDS_TOKEN: key })
  const { type = '', code } = printed === '' ? {} : JSON.parse(printed)
  return String(type).includes('/problems/') ? code : null
}

/** Makes a key in the console and asks with it, as the page says. The object that is answered. */
export async function askWithNewKey(rig: ConsoleRig): Promise<object> {
  const { page, close } = await rig.openOwner()
  try {
    await page.goto(rig.urlOf('api-keys/new'))
    await page.getByRole('textbox', { name: 'Name' }).fill('For curl')
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Show' }).click()
    const curl = await dialog.getByRole('region', { name: 'Call the API with it', exact: true }).textContent()
    const key = (await dialog.getByLabel('API key', { exact: true }).textContent()) ?? ''
    return await eventually('every service knows the key', async () => {
      const answer = JSON.parse(await runInShell(curl ?? '', { WDS_TOKEN: key }))
      return answer.code === undefined && answer
    })
  } finally {
    await close()
  }
}

/** Sends a delivery again, as its page says; whether the receiver has verified the copy. */
export async function sendDeliveryAgain(rig: ConsoleRig): Promise<boolean | undefined> {
  const { healthy, answered } = await seedWebhooks(rig)
  const { body } = await rig.client(`/v1/webhooks/${healthy}/rotate-secret`, { json: { overlap_seconds: 0 } })
  const { page, close } = await rig.openOwner()
  try {
    await page.goto(rig.urlOf(`webhooks/${healthy}/history/${answered}`))
    await page.getByRole('button', { name: 'Send it again as curl' }).click()
    const curl = (await page.getByRole('region', { name: 'curl', exact: true }).textContent()) ?? ''
    const { receiver_url: receiver } = rig.at
    const headers = { 'content-type': 'application/json' }
    const tell = (secret: string | null) =>
      fetch(`${receiver}/control`, { method: 'POST', headers, body: JSON.stringify({ secret }) })
    await tell(body.secret)
    const id = /webhook-id: (\w+)/.exec(curl)?.[1]
    await runInShell(curl, { WEBHOOK_SECRET: body.secret })
    const received = (await (await fetch(`${receiver}/received`)).json()) as {
      verified: boolean
      headers: Record<string, string>
    }[]
    await tell(null)
    return received.find((one) => one.headers['webhook-id'] === id)?.verified
  } finally {
    await close()
  }
}
