/** Does in a browser what a page says, a line each: `open ADDRESS`, `press NAME` of a button or link, `see TEXT`, and the sign-in. */
import type { Page } from 'playwright-core'
import type { Addresses } from '../harness/standalone.ts'

/** Each line waits for what it needs. Throws Error where that does not come, or for a line that it does not know. */
export function browseAs(page: Page, { owner_email: email = '', owner_password: password = '' }: Addresses) {
  return async (line: string): Promise<void> => {
    const [, verb, rest = ''] = /^(\w+) (.*)$/.exec(line) ?? []
    if (line === 'sign in as `npm start` says') {
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password').fill(password)
      return page.getByRole('button', { name: 'Sign in' }).click()
    }
    if (verb === 'open') return void (await page.goto(rest))
    if (verb === 'see') return page.getByText(rest).first().waitFor()
    if (verb !== 'press') throw new Error(`nobody knows how to do this: ${line}`)
    const named = { name: rest, exact: true }
    return page.getByRole('button', named).or(page.getByRole('link', named)).click()
  }
}
