// The console teaches the API by curl: what its pages show, copied into a shell, does what they say.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Visitor } from './chromium.ts'
import { askWithNewKey, curlsOf, refusalOf, sendDeliveryAgain } from './console-curls.ts'
import { consolePages } from './console-page-list.ts'
import { type ConsoleRig, startConsoleRig } from './console-rig.ts'

let rig: ConsoleRig
let owner: Visitor
beforeAll(async () => {
  // An anomaly is found once its day is final, or restated.
  rig = await startConsoleRig({ WDS_STATS_BACKFILL_REST: '1s', WDS_STATS_RESTATE_WAIT: '1s' })
  owner = await rig.openOwner({ reducedMotion: 'reduce' })
})
afterAll(async () => {
  await owner?.close()
  await rig?.stop()
})

/** What the API may say of a call that is well-formed: a form is not filled in yet, or the thing is in another state. */
const refusals: Record<string, string[]> = {
  'webhooks-new': ['validation_failed'],
  'integration-new': ['validation_failed'],
  'automation-rule-new': ['validation_failed'],
  'sub-affiliate-new': ['validation_failed'],
  'commission-plan-new': ['out_of_range'],
  'subscription-disabled': ['webhook_disabled'],
}

test('each "View as curl" of every page is a call that the API takes (regression: a plan is renamed by the version that is shown)', async () => {
  const { page } = owner
  const refused: Record<string, string[]> = {}
  let calls = 0
  for (const { name, path, heading } of consolePages) {
    await page.goto(rig.urlOf(typeof path === 'string' ? path : await path(rig)))
    const place = heading === null ? page.getByRole('dialog') : page.getByRole('heading', { level: 1, name: heading })
    await place.waitFor()
    await page.waitForLoadState('networkidle')
    for (const curl of await curlsOf(page)) {
      calls += 1
      const code = await refusalOf(curl, rig.at.api_key)
      if (code !== null) refused[name] = [...(refused[name] ?? []), code]
    }
  }
  expect(refused).toEqual(refusals)
  expect(calls).toBeGreaterThan(40)
})

test('a new key asks for its workspace, as the page that shows it says', async () => {
  expect(await askWithNewKey(rig)).toMatchObject({ object: 'workspace', id: rig.at.workspace_id })
})

test('a delivery that is sent again as its page says is verified by its receiver', async () => {
  expect(await sendDeliveryAgain(rig)).toBe(true)
})
