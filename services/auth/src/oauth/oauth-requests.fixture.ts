// For tests: what clients and browsers send to the OAuth endpoints, and what they read of an answer. It knows no process.
import { createHash, randomBytes } from 'node:crypto'
import type { Scope } from '@wds/contracts/scopes'
import type { RawAnswer } from '../raw-request.fixture.ts'

export const redirectUrl = 'https://app.example.test/cb'

export type Answer = RawAnswer

export type Fields = Record<string, string | string[]> | [string, string][]

export function formOf(fields: Fields): string {
  const pairs = Array.isArray(fields) ? fields : Object.entries(fields)
  return new URLSearchParams(
    pairs.flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString()
}

/** A right authorisation request. */
export function queryOf(
  app: { clientId: string; scopes: readonly Scope[] },
  o: { verifier?: string; scopes?: readonly Scope[] } = {},
): Record<string, string> {
  const { verifier = randomBytes(32).toString('base64url'), scopes = app.scopes } = o
  return {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUrl,
    scope: scopes.join(' '),
    state: 'xyz',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  }
}

export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** What a browser sends back of the cookies of an answer. */
export function cookieOf({ headers }: Answer): string {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ')
}

/** The form of a page: where it goes, and its hidden fields. */
export function formIn({ text }: Answer): { action: string; fields: Record<string, string> } {
  const plain = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1]
  if (action === undefined) throw new Error(`no form in the page: ${text}`)
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  return { action, fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, plain(value)])) }
}

/** Fields of a form without some of them. */
export const without = (fields: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

export const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

export const outcomeOf = ({ status, json }: Answer): [number, string | undefined] => [status, json?.error]
