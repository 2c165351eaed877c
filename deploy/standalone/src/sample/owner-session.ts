/** Signs the sample's owner in as a browser does, for what only a person may do: registering an app. */
import { StartError } from '../start-error.ts'
import type { Sample } from './workspace.ts'

export interface OwnerSession {
  /** Sends a form to the settings API; `key`: Idempotency-Key. @throws StartError with what was refused. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  postForm(path: string, form: FormData, key: string): Promise<any>
  end(): Promise<void>
}

/** What a browser says of a request that a page of the same origin makes. */
const ownPage = { 'sec-fetch-site': 'same-origin' }

function cookiesOf(response: Response): string[] {
  return response.headers.getSetCookie().map((line) => line.split(';', 1)[0] as string)
}

export async function signInAsOwner(baseUrl: string, owner: Sample['owner']): Promise<OwnerSession> {
  const visit = (path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(20_000), ...init })
  const page = await visit('/sign-in')
  const hidden = [...(await page.text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  const fields = new URLSearchParams({ ...owner })
  for (const [, name = '', value = ''] of hidden) fields.set(name, value)
  const entered = await visit('/sign-in', {
    method: 'POST',
    headers: { ...ownPage, cookie: cookiesOf(page).join('; ') },
    body: fields,
  })
  if (entered.status !== 303)
    throw new StartError(`the sample owner cannot sign in (${entered.status}): was the password changed?`)
  const cookie = cookiesOf(entered).join('; ')
  const session = (await (await visit('/v1/session', { headers: { cookie } })).json()) as { csrf_token: string }
  const headers = { ...ownPage, cookie, 'x-csrf-token': session.csrf_token }
  return {
    async postForm(path, form, key) {
      const own = { ...headers, 'idempotency-key': key }
      const answer = await visit(path, { method: 'POST', headers: own, body: form })
      const body = (await answer.json().catch(() => ({}))) as { detail?: string }
      if (!answer.ok) throw new StartError(`${path} was refused (${answer.status}): ${body.detail}`)
      return body
    },
    end: async () => void (await visit('/v1/session/end', { method: 'POST', headers })),
  }
}
