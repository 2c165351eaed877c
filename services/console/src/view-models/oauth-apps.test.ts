import { expect, test } from '@jest/globals'
import { authoriseUrl, base64url, challengeOf, tokenCurl } from './authorise-url.ts'
import {
  draftOfApp,
  draftOfLink,
  emptyAppDraft,
  fieldsOfApp,
  hostOfDraft,
  logoFault,
  rowFaults,
  rowOfPlace,
} from './oauth-app-draft.ts'

test('a link fills the fields, and what is no scope is left out', () => {
  expect(
    draftOfLink({
      name: 'Ledgerline',
      redirect_url: 'https://a.example/cb?x=1,2,https://b.example/cb',
      scopes: 'stats:read,admin campaigns:write',
      other: 'x',
    }),
  ).toEqual({
    name: 'Ledgerline',
    redirectUrls: ['https://a.example/cb?x=1,2', 'https://b.example/cb'],
    scopes: ['stats:read', 'campaigns:write'],
    state: 'live',
  })
  expect(draftOfLink({})).toEqual(emptyAppDraft)
})

test('each row has its own reason, and an empty one has none', () => {
  const redirectUrls = ['https://a.example/cb', '', 'http://localhost:3000/cb', ' https://a.example/cb']
  const draft = { ...emptyAppDraft, redirectUrls }
  expect(rowFaults(draft)).toEqual([
    null,
    null,
    'Must use https: http is for apps in development.',
    'Stands above already.',
  ])
  expect(rowFaults({ ...draft, state: 'development' })[2]).toBeNull()
})

test('empty rows are not sent, and a pointer of the answer finds its row all the same', () => {
  const draft = { ...emptyAppDraft, name: ' Ledgerline ', redirectUrls: ['', 'https://a.example/cb', ' ', 'x'] }
  expect(fieldsOfApp(draft)).toEqual({
    name: 'Ledgerline',
    redirect_urls: ['https://a.example/cb', 'x'],
    scopes: [],
  })
  expect([0, 1, 2].map((place) => rowOfPlace(draft, place))).toEqual([1, 3, -1])
})

test('a suspended app is judged as one that is live', () => {
  const app = { name: 'A', redirect_urls: [], scopes: ['stats:read', 'gone:read'], state: 'suspended' as const }
  expect(draftOfApp(app)).toEqual({ name: 'A', redirectUrls: [], scopes: ['stats:read'], state: 'live' })
})

test('the consent card names the host as the consent page does, in punycode', () => {
  const hostOf = (...redirectUrls: string[]) => hostOfDraft({ ...emptyAppDraft, redirectUrls })
  expect([hostOf('', 'https://bücher.example:8443/cb'), hostOf('nothing')]).toEqual([
    'xn--bcher-kva.example:8443',
    null,
  ])
})

test.each([
  [{ type: 'image/png', size: 1_048_576 }, null],
  [{ type: 'image/png', size: 1_048_577 }, 'Must have at most 1 MiB.'],
  [{ type: 'image/svg+xml', size: 10 }, 'Must be a PNG, JPEG or WebP picture.'],
])('a file %p as a logo: %p', (file, fault) => expect(logoFault(file)).toBe(fault))

test('the challenge is the one of RFC 7636, appendix B', async () => {
  expect(await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
  expect(base64url(new Uint8Array([251, 255, 254]))).toBe('-__-')
})

test('the authorise URL holds every parameter once, and the token call no secret', () => {
  const request = { clientId: 'cli_1', redirectUrl: 'https://a.example/cb?a=1&b=2', state: 's p', challenge: 'c' }
  const url = new URL(
    authoriseUrl('https://auth.example/oauth/authorize', { ...request, scopes: ['stats:read', 'invoices:read'] }),
  )
  expect([url.origin + url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
    'https://auth.example/oauth/authorize',
    {
      response_type: 'code',
      client_id: 'cli_1',
      redirect_uri: 'https://a.example/cb?a=1&b=2',
      scope: 'stats:read invoices:read',
      state: 's p',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    },
  ])
  expect(tokenCurl('https://api.example/oauth/token', { ...request, verifier: "v'" })).toBe(
    [
      "curl -sS -X POST 'https://api.example/oauth/token'",
      "--data-urlencode 'grant_type=authorization_code'",
      '--data-urlencode "code=$CODE"',
      "--data-urlencode 'redirect_uri=https://a.example/cb?a=1&b=2'",
      "--data-urlencode 'client_id=cli_1'",
      '--data-urlencode "client_secret=$CLIENT_SECRET"',
      "--data-urlencode 'code_verifier=v'\\'''",
    ].join(' \\\n  '),
  )
})
