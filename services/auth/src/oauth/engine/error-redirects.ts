// Redirects that take an error to the app: what they say, and which are shown to the person first (decision 76).
import type { IncomingHttpHeaders } from 'node:http'
import type { MountExchange } from '@wds/http-service/mount'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { appOf } from './client-metadata.ts'
import { exchangeOf } from './request-state.ts'

/** An error of an authorisation request, which would send the browser on to the app before its person has decided anything. */
export interface ErrorRedirect {
  appId: string
  clientId: string
  /** Of the app, with the error. */
  location: string
  description: string | undefined
}

/** Shows a page instead of a redirect that the person has not agreed to; false: the browser may go (RFC 9700 4.11.2). */
export type HoldError = (exchange: MountExchange, redirect: ErrorRedirect) => Promise<boolean>

/** Every error that goes back to the app says a little more than its code. */
export function describeError(ctx: KoaContextWithOIDC): void {
  const location = URL.parse(ctx.response.get('Location'))
  if (!location?.searchParams.has('error') || location.searchParams.has('error_description')) return
  location.searchParams.set('error_description', 'this server does not support what was asked for')
  ctx.set('Location', location.href)
}

/** Nobody has decided yet at this endpoint, so what leads to the app is an error; to consent leads a path of ours. */
export async function isHeld(ctx: KoaContextWithOIDC, holdError: HoldError): Promise<boolean> {
  const location = URL.parse(ctx.response.get('Location'))
  if (location === null) return false
  const { client } = ctx.oidc
  if (client === undefined) throw new Error('a redirect to the URL of nobody')
  const { searchParams, hash, href } = location
  const found = searchParams.has('error') ? searchParams : new URLSearchParams(hash.slice(1))
  const exchange = exchangeOf(ctx)
  if (!isRead(exchange.request.headers)) return false
  const redirect = {
    appId: appOf(client).appId,
    clientId: client.clientId,
    location: href,
    description: found.get('error_description') ?? undefined,
  }
  if (!(await holdError(exchange, redirect))) return false
  exchange.code = found.get('error') ?? 'unknown'
  ctx.respond = false
  return true
}

/**
 * Does this stand in the address bar of a person's browser, by its fetch metadata, or in an older one by what it accepts? Programs look for
 * the redirect, and clients that ask silently (`prompt=none`) do so in a frame, where no page of ours may stand.
 */
function isRead({ 'sec-fetch-dest': destination, accept = '' }: IncomingHttpHeaders): boolean {
  return destination === undefined ? accept.includes('text/html') : destination === 'document'
}
