// Acts for one user: asks for access, keeps it, reads stats with it, gives it back. Node.js 20.11 or later, no packages.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { BASE, CLIENT_ID, CLIENT_SECRET } = process.env
const redirectUri = 'http://localhost:3000/callback'
const service = await (await fetch(`${BASE}/.well-known/oauth-authorization-server`)).json()

/** What left with a browser that has not come back yet, by the cookie that it got. */
const waiting = new Map()

function askForConsent(response) {
  const [session, state, verifier] = [0, 0, 0].map(() => randomBytes(32).toString('base64url'))
  waiting.set(session, { state, verifier })
  const address = new URL(service.authorization_endpoint)
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    scope: 'stats:read',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  response.setHeader('Set-Cookie', `session=${session}; HttpOnly; SameSite=Lax; Path=/`)
  response.writeHead(303, { Location: address.href }).end()
}

async function comeBack(request, response, query) {
  const session = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]
  const sent = waiting.get(session)
  waiting.delete(session)
  // Another site can send a browser here as well, and another service can answer in the name of this one.
  if (sent === undefined || query.get('state') !== sent.state || query.get('iss') !== service.issuer) {
    return response.writeHead(400).end('Not asked for. Begin again.\n')
  }
  if (query.has('error')) return response.end(`Not connected: ${query.get('error')}\n`)
  const code = { code: query.get('code'), redirect_uri: redirectUri, code_verifier: sent.verifier }
  keep(await callAsApp(service.token_endpoint, { grant_type: 'authorization_code', ...code }))
  console.log(`connected to ${grant().workspace}`)
  response.writeHead(303, { Location: '/' }).end()
}

/** To the endpoints for tokens. Throws Error with the error's code. */
async function callAsApp(endpoint, parameters) {
  const body = new URLSearchParams({ ...parameters, client_id: CLIENT_ID, client_secret: CLIENT_SECRET })
  const response = await fetch(endpoint, { method: 'POST', body })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error)
  return answer
}

/** Null while nobody is connected. */
const grant = () => (existsSync('grant.json') ? JSON.parse(readFileSync('grant.json', 'utf8')) : null)

/** As a whole or not at all. */
function keep({ access_token, refresh_token, user_context }) {
  const kept = { access_token, refresh_token, workspace: user_context.workspace.name }
  writeFileSync('grant.json.new', JSON.stringify(kept), { mode: 0o600, flush: true })
  renameSync('grant.json.new', 'grant.json')
}

let refreshing = null

/** One at a time: who comes meanwhile waits for the same, and who comes with a token that was replaced gets the new one. */
function refresh(refused) {
  const now = grant()
  if (now?.access_token !== refused) return now
  refreshing ??= refreshNow(now).finally(() => {
    refreshing = null
  })
  return refreshing
}

async function refreshNow({ refresh_token }) {
  try {
    // Kept before it is used: a crash between the two loses nothing.
    keep(await callAsApp(service.token_endpoint, { grant_type: 'refresh_token', refresh_token }))
    console.log('refreshed')
    return grant()
  } catch (error) {
    if (error.message !== 'invalid_grant') throw error
    console.log('the grant has ended')
    rmSync('grant.json')
    return null
  }
}

async function clicks() {
  const day = new Date().toISOString().slice(0, 10)
  const read = ({ access_token }) =>
    fetch(`${BASE}/v1/stats?from=${day}&to=${day}&metrics=clicks`, {
      headers: { Authorization: `Bearer ${access_token}` },
    })
  let held = grant()
  if (held === null) return 'Not connected'
  let response = await read(held)
  if (response.status === 401) {
    held = await refresh(held.access_token)
    if (held === null) return 'Not connected'
    response = await read(held)
  }
  const { totals } = await response.json()
  return `Connected to ${held.workspace}: ${totals[0]?.clicks ?? 0} clicks today`
}

async function disconnect(response) {
  const held = grant()
  if (held !== null) await callAsApp(service.revocation_endpoint, { token: held.refresh_token })
  rmSync('grant.json', { force: true })
  response.writeHead(303, { Location: '/' }).end()
}

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost:3000')
  if (pathname === '/connect') return askForConsent(response)
  if (pathname === '/callback') return await comeBack(request, response, searchParams)
  if (pathname === '/clicks') return response.end(`${await clicks()}\n`)
  if (pathname === '/disconnect' && request.method === 'POST') return await disconnect(response)
  if (pathname !== '/') return response.writeHead(404).end()
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  // The name is the user's to choose.
  const text = (await clicks()).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  response.end(`<!doctype html><title>Clicks</title><p>${text}</p>
    <p><a href="/connect">Connect</a></p><form method="post" action="/disconnect"><button>Disconnect</button></form>`)
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.log(error.message)
    response.writeHead(500).end('That went wrong.\n')
  })
}).listen(3000, 'localhost', () => console.log('listening on http://localhost:3000/'))
