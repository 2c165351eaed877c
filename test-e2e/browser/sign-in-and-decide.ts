// What a person does on the way through an authorisation, on the pages of the service.
import type { Page } from 'playwright-core'

/** Opens the address of an authorisation, signs in and decides; the page is on its way to the app then. */
export async function signInAndDecide(
  page: Page,
  o: { address: string; email: string; password: string; decision?: 'Allow' | 'Cancel' },
): Promise<void> {
  await page.goto(o.address)
  await page.getByLabel('E-mail address').fill(o.email)
  await page.getByLabel('Password').fill(o.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: o.decision ?? 'Allow' }).click()
}
