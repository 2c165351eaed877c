// For tests: a browser on its way to an OpenID provider and back, which follows redirects by hand.
import type { Answer, Browser } from '../auth-service.fixture.ts'

/** Where the service believes to be. */
export const authUrl = 'http://localhost'

export const start = (browser: Browser, name: string, query = '') =>
  browser.call(`/sign-in/upstream/${name}${query}`, { headers: { 'sec-fetch-site': 'same-origin' } })

/** What the provider sends the browser back to, as a path of ours. */
export async function answerOf(location: string): Promise<string> {
  const cookies = new Map<string, string>()
  let at = location
  for (let step = 0; step < 10; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const next = new URL(response.headers.get('location') ?? '', at)
    if (next.origin === authUrl) return `${next.pathname}${next.search}`
    at = next.href
  }
  throw new Error('the provider did not send the browser back')
}

/** Through the provider to the way back, which is not gone yet. */
export async function begin(browser: Browser, name: string, query = ''): Promise<string> {
  return answerOf((await start(browser, name, query)).headers.get('location') ?? '')
}

export const comeBack = (browser: Browser, path: string) =>
  browser.call(path, { headers: { 'sec-fetch-site': 'cross-site' } })

export const signIn = async (browser: Browser, name: string, query = '') =>
  comeBack(browser, await begin(browser, name, query))

export const seen = ({ status, headers }: Answer) => [status, headers.get('location')]

/** Who is signed in. */
export const idOf = async (browser: Browser): Promise<string | null> =>
  browser.cookies.has('wds_session') ? ((await browser.call('/v1/session')).json?.user?.id ?? null) : null
