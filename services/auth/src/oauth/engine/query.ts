// Prepares the query of an authorisation request for the engine; what it does not touch stays byte for byte.
import querystring from 'node:querystring'

/** Of OpenID and its extensions, unknown to plain OAuth: ignored, as RFC 6749 3.1 asks, where the engine would judge them. */
const ignored = new Set([
  'acr_values',
  'authorization_details',
  'claims',
  'claims_locales',
  'display',
  'dpop_jkt',
  'id_token_hint',
  'login_hint',
  'max_age',
  'nonce',
  'registration',
  'ui_locales',
  'web_message_uri',
])

/** The target of the request with the query that the engine gets. */
export function prepareQuery(target: string): string {
  const at = target.indexOf('?')
  if (at < 0) return target
  const pairs = target
    .slice(at + 1)
    .split('&')
    .flatMap((pair) => {
      const name = decode(pair.split('=', 1)[0] ?? '')
      if (ignored.has(name)) return []
      if (name !== 'response_mode') return [pair]
      const mode = decode(pair.slice(pair.indexOf('=') + 1))
      // The others would answer by a script page or in the fragment; an unknown one is refused as A34 says (W21).
      return mode === 'query' || mode === '' || !pair.includes('=') ? [pair] : ['response_mode=unsupported']
    })
  return `${target.slice(0, at)}?${pairs.join('&')}`
}

/** As the engine reads it. */
const decode = (text: string) => querystring.unescape(text.replaceAll('+', ' '))

/** A `Cookie` header without the cookies of these names and their signatures; undefined when nothing is left. */
export function withoutCookies(header: string | undefined, names: readonly string[]): string | undefined {
  const dropped = new Set(names.flatMap((name) => [name, `${name}.sig`]))
  const kept = (header ?? '').split(';').filter((part) => !dropped.has(part.split('=', 1)[0]?.trim() ?? ''))
  const text = kept.join(';').trim()
  return text === '' ? undefined : text
}
