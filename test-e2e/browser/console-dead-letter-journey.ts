// Dead letters of two causes (ui.md U07): one group is retried alone, the other one's retry is canceled.
import { equal } from 'node:assert/strict'
import { isFullRun } from '@wds/local-infra/test-size'
import type { Page } from 'playwright-core'
import { eventually } from '../harness/standalone.ts'
import type { ConsoleRig } from './console-rig.ts'

/** What the receiver of the rig answers from now on. */
export const setReceiver = ({ at }: ConsoleRig, body: object): Promise<Response> =>
  fetch(`${at.receiver_url}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** `count` in groups of ten at once. */
async function inTens(count: number, work: (nth: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += 10)
    await Promise.all(Array.from({ length: Math.min(10, count - from) }, (_, more) => work(from + more)))
}

/** Of each of the two causes. By night there are as many as U07 says; making them costs more than all that is judged. */
const each = isFullRun() ? 250 : 50

interface RetriedCauses {
  /** Dead letters of each cause. */
  each: number
  /** By how many pixels each table is wider than its place. */
  cutOff: number[]
  /** Dead letters once one group was retried. */
  left: { answering: number; refusing: number }
  /** Was the other one stopped before its end? */
  canceled: boolean
}

export async function retryCauses(rig: ConsoleRig, page: Page): Promise<RetriedCauses> {
  await setReceiver(rig, { mode: 'fail' })
  const subscription = async (url: string) =>
    (
      await rig.client('/v1/webhooks', {
        json: { url, events: ['integration.created', 'integration.paused', 'integration.resumed'] },
      })
    ).body.id as string
  const answering = await subscription(`${rig.at.receiver_url}/hooks/u07`)
  const refusing = await subscription(`http://127.0.0.1:9/u07/${'long'.repeat(30)}`)
  // A workspace has 200 integrations at most: each begins, and pauses and resumes for the rest of its ten events.
  await inTens(each / 10, async (n) => {
    const json = {
      name: `Group ${n}`,
      provider: 'csv_upload',
      brand_slug: 'acme',
      currency: 'EUR',
      source_time_zone: 'UTC',
    }
    const { body: made } = await rig.client('/v1/integrations', { json })
    for (let change = 1; change < 10; change += 1) {
      const word = change % 2 === 1 ? 'pause' : 'resume'
      const { status } = await rig.client(`/v1/integrations/${made.id}/${word}`, { method: 'POST' })
      equal(status, 200)
    }
  })
  const deadOf = async (id: string) => {
    const { body } = await rig.client(`/v1/dead-letters/causes?webhook_id=${id}`)
    return (body.data as { count: number }[]).reduce((sum, { count }) => sum + count, 0)
  }
  await eventually('all are dead', async () => (await deadOf(answering)) === each && (await deadOf(refusing)) === each)

  // Regression: however long an address is, Retry stays on the screen.
  await page.goto(rig.urlOf(`dead-letters?webhook_id=${refusing}`))
  await page
    .getByRole('cell', { name: /longlong/ })
    .nth(1)
    .waitFor()
  const cutOff = await page
    .locator('.wds-table')
    .evaluateAll((tables) => tables.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
  await page.goto(rig.urlOf(`dead-letters?webhook_id=${answering}`))
  const group = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: `Answered with 5xx: ${each} deliveries` }) })
  await setReceiver(rig, { mode: 'ok' })
  await group.getByRole('button', { name: 'Retry all' }).click()
  await page.getByRole('button', { name: `Retry ${each} deliveries` }).click()
  await page.getByRole('heading', { level: 1, name: `Retry of ${each} deliveries` }).waitFor()
  await page.reload()
  await page.getByText('completed', { exact: true }).waitFor()
  await eventually('the group is delivered', async () => (await deadOf(answering)) === 0)
  const left = { answering: await deadOf(answering), refusing: await deadOf(refusing) }

  const { body: slow } = await rig.client('/v1/replays', { json: { webhook_id: refusing, rate: 1 } })
  await page.goto(rig.urlOf('dead-letters'))
  await page.getByRole('link', { name: `Retry of ${each} deliveries` }).click()
  await page.waitForURL(new RegExp(slow.id))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).last().click()
  await page.getByText('canceled', { exact: true }).waitFor()
  const { body: after } = await rig.client(`/v1/replays/${slow.id}`)
  return { each, cutOff, left, canceled: after.status === 'canceled' && after.opened < each }
}
