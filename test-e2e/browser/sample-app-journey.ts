// The sample app as a person goes through it: each step by its button, the decision at the service, the refusal after the revocation.
import { deepEqual, match } from 'node:assert/strict'
import type { Visitor } from './chromium.ts'

const answerOf = ({ page }: Visitor, step: number) =>
  page.getByLabel(`answer of step ${step}`, { exact: true }).textContent()

/** `address`: of the app. Throws where a step does not come. */
export async function walkSampleApp(
  visitor: Visitor,
  o: { address: string; email: string; password: string },
): Promise<void> {
  const { page } = visitor
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const reached = (step: string) => page.getByRole('heading', { level: 2, name: step }).waitFor()
  await page.goto(o.address)
  await press('Begin')
  await reached('1. Find the service')

  // Whoever says no is told so, and the app gets nothing.
  await page.getByRole('link', { name: 'Go to the service and decide' }).click()
  await page.getByLabel('E-mail address').fill(o.email)
  await page.getByLabel('Password').fill(o.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You did not allow it').waitFor()
  match((await answerOf(visitor, 2)) ?? '', /error = access_denied/)

  await press('Begin')
  await page.getByRole('link', { name: 'Go to the service and decide' }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await reached('2. Back from the service')
  deepEqual(new URL(page.url()).search, '')
  await press('Exchange the code for tokens')
  await reached('3. Exchange the code')
  match((await answerOf(visitor, 3)) ?? '', /^200[\s\S]*"user_context"/)
  await press('Read stats')
  await reached('4. Read stats')
  match((await answerOf(visitor, 4)) ?? '', /^200[\s\S]*"clicks"/)
  await press('Refresh the tokens')
  await reached('5. Refresh')
  match((await answerOf(visitor, 5)) ?? '', /^200[\s\S]*"refresh_token"/)
  await press('Revoke the tokens')
  await reached('6. Revoke')
  // Within two seconds; what was let in before is a step of its own.
  for (let step = 7; ; step += 1) {
    await press('Read stats')
    await reached(`${step}. Read stats`)
    if (/^401/.test((await answerOf(visitor, step)) ?? '')) break
    if (step > 40) throw new Error('the API does not refuse the revoked token')
    await page.waitForTimeout(250)
  }
  await page.getByText('The API refused the access token (401).').waitFor()
  // Neither tokens nor the client secret stand there whole.
  match((await page.content()) ?? '', /^(?!.*(?:wds_\w{20}|wdr_\w{20}|eyJ[\w-]{40}))/s)
}
