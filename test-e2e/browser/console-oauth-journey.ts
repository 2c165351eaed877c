// The journey of an app through the console: registered, authorised through the address that the console builds, used, and ended.
import { deepEqual, match } from 'node:assert/strict'
import { eventually } from '../harness/standalone.ts'
import { runInShell } from './console-curls.ts'
import type { ConsoleRig } from './console-rig.ts'
import { makeLogo } from './logo.ts'
import { startOAuthApp } from './oauth-app.ts'

const name = 'Journey ledger'

export async function walkOAuthJourney(rig: ConsoleRig): Promise<void> {
  const app = await startOAuthApp()
  const visitor = await rig.openOwner()
  const { page, faults } = visitor
  try {
    const wish = new URLSearchParams({ name, redirect_url: app.redirectUrl, scopes: 'stats:read' })
    await page.goto(rig.urlOf(`oauth-apps/new?${wish}`))
    // The link has filled the fields and sent nothing; the reason stands at the row until the state fits.
    await page.getByText('Must use https: http is for apps in development.').waitFor()
    await page.getByRole('radio', { name: 'In development' }).check()
    const logo = { name: 'logo.png', mimeType: 'image/png', buffer: makeLogo() }
    await page.locator('input[type=file]').setInputFiles(logo)
    await page.getByRole('button', { name: 'Register an app' }).click()
    const dialog = page.getByRole('dialog', { name: `${name} is registered` })
    await dialog.getByRole('button', { name: 'Show' }).click()
    const secret = (await dialog.getByLabel('client secret', { exact: true }).textContent()) ?? ''
    match(secret, /^wds_\w{40,}/)
    await dialog.getByRole('checkbox', { name: 'I have stored it' }).check()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    const { origins } = await page.context().storageState()
    const kept = JSON.stringify(origins) + page.url()
    // U12: shown once, then in no DOM, storage or address.
    deepEqual([(await page.content()).includes(secret), kept.includes(secret)], [false, false])

    await page.getByRole('link', { name: 'Authorise URL' }).click()
    const address = (await page.getByRole('region', { name: 'the address' }).textContent()) ?? ''
    const redeem = (await page.getByRole('region', { name: 'the curl command' }).textContent()) ?? ''
    await page.goto(address)
    await page.getByRole('heading', { level: 1, name: `${name} wants to act in` }).waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${app.redirectUrl}?**`)
    const answer = new URL(page.url()).searchParams
    deepEqual(answer.get('state'), new URL(address).searchParams.get('state'))

    const printed = await runInShell(redeem, { CODE: answer.get('code') ?? '', CLIENT_SECRET: secret })
    const { access_token: key } = JSON.parse(printed) as { access_token: string }
    const stats = async () =>
      (await rig.client('/v1/stats?from=2026-11-01&to=2026-11-02&metrics=clicks', { key })).status
    deepEqual(await stats(), 200)

    await page.goto(rig.urlOf('connected-apps'))
    await page.getByRole('button', { name: `End the access of ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('No connected apps').waitFor()
    await eventually('the token is refused', async () => (await stats()) === 401)
    deepEqual(faults, [])
  } finally {
    await visitor.close()
    app.stop()
  }
}
