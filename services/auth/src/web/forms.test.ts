import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from '@jest/globals'
import type { MountExchange } from '@wds/http-service/mount'
import { createCookies } from './cookies.ts'
import { createForms, type ShownForm } from './forms.ts'

const cookies = createCookies('https://auth.example.test')
const forms = createForms({ cookies, key: Buffer.alloc(32, 7) })
const signIn: ShownForm = { purpose: 'sign-in', sessionId: null }
const consent: ShownForm = { purpose: 'consent', sessionId: 'ses_1', about: ['uid', 'wsp_1', 'stats:read'] }

function exchange(headers: Record<string, string | undefined> = {}, fields: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, { 'content-type': 'application/x-www-form-urlencoded', ...headers })
  const readBody = async () => Buffer.from(new URLSearchParams(fields).toString())
  return { request, response: new ServerResponse(request), readBody } as unknown as MountExchange
}

/** A browser that got the form: its cookie and the hidden field. */
function opened(form = signIn) {
  const page = exchange()
  const fields = forms.hidden(page, form)
  const [line = ''] = [page.response.getHeader('set-cookie')].flat() as string[]
  return { fields, line, cookie: line.split(';', 1)[0] ?? '' }
}

const refused = expect.objectContaining({ code: 'csrf_failed' })
const ours = { 'sec-fetch-site': 'same-origin' }

test('the cookie of a form is HttpOnly, Secure, Lax and bound to this host', () => {
  expect(opened().line).toMatch(/^__Host-wds_form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('a form that a page of ours posts in the same browser is taken; a second page leaves the cookie', async () => {
  const { fields, cookie } = opened()
  const again = exchange({ cookie, ...ours }, { ...fields, email: 'a@b.test' })
  expect({ ...(await forms.read(again, signIn)) }).toEqual({ ...fields, email: 'a@b.test' })
  expect(forms.hidden(again, signIn)).toEqual(fields)
  expect(again.response.getHeader('set-cookie')).toBeUndefined()
})

test.each([
  ['no cookie', { cookie: '' }, {}],
  ['another browser', { cookie: opened().cookie }, {}],
  ['a cookie without the prefix, as another host could plant it', { cookie: `wds_form=${'a'.repeat(43)}` }, {}],
  ['two cookies', { cookie: `${opened().cookie}; ${opened().cookie}` }, {}],
  ['another site', { 'sec-fetch-site': 'cross-site' }, {}],
  ['another host of the site', { 'sec-fetch-site': 'same-site' }, {}],
  ['a browser that does not say', { 'sec-fetch-site': undefined }, {}],
  ['no token', {}, { form_token: '' }],
  ['the token of another form', {}, opened({ ...signIn, purpose: 'invitation' }).fields],
])('XO11: %s is refused', async (_, headers, fields) => {
  const page = opened()
  const posted = exchange({ cookie: page.cookie, ...ours, ...headers }, { ...page.fields, ...fields })
  await expect(forms.read(posted, signIn)).rejects.toEqual(refused)
})

test('the form of a signed-in person is bound to the session, without a cookie of its own', async () => {
  const { fields, line } = opened(consent)
  expect(line).toBe('')
  await expect(forms.read(exchange(ours, fields), consent)).resolves.toBeDefined()
  const other = exchange({ ...ours, cookie: opened().cookie }, fields)
  await expect(forms.read(other, { ...consent, sessionId: 'ses_2' })).rejects.toEqual(refused)
  await expect(forms.read(other, { ...consent, sessionId: null })).rejects.toEqual(refused)
})

test('S17, S22: what a post says otherwise than it was shown is refused', async () => {
  const { fields } = opened(consent)
  const read = (about: string[]) => forms.read(exchange(ours, fields), () => ({ ...consent, about }))
  await expect(read(['uid', 'wsp_1', 'stats:read'])).resolves.toBeDefined()
  for (const about of [
    ['uid', 'wsp_2', 'stats:read'],
    ['uid', 'wsp_1', 'stats:read', 'stats:write'],
    ['uid', 'wsp_1stats:read'],
    [],
  ])
    await expect(read(about)).rejects.toEqual(refused)
})

test('a token is worth nothing under another key', async () => {
  const { fields, cookie } = opened()
  const others = createForms({ cookies, key: Buffer.alloc(32, 8) })
  await expect(others.read(exchange({ cookie, ...ours }, fields), signIn)).rejects.toEqual(refused)
})
