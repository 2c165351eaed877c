// Decides which redirect URLs may be registered (auth.md 4.1). A URL is stored as it was sent and later compared byte for byte, so it is
// never corrected here: what two programs could read in two ways is refused.
import type { AppState } from './auth-events.ts'

const charactersMax = 2_048

/** What authorisation answers with; a second one of a name would be read by chance. */
const answered = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'scope']
/** The only hosts for which `http` may be used, and the only IP literals, in development alone. */
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/** Why the URL may not be registered for an app of this state, as a sentence; null: it may. */
export function redirectUrlFault(text: string, state: AppState): string | null {
  if (text.length > charactersMax) return `Must have at most ${charactersMax} characters.`
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return 'Must not hold a space, a control character or a backslash.'
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    return 'Must be an absolute URL, such as https://example.com/callback.'
  if (text.includes('#')) return 'Must not have a fragment.'
  if (text.includes('*')) return 'Must not have a wildcard.'
  // Some programs drop it, others keep it.
  if (text.endsWith('?')) return 'Must not have an empty query.'
  const url = new URL(text)
  if (/^https?:\/\/[^/?]*@/i.test(text)) return 'Must not have user information.'
  // A default port, a host in capitals or Unicode, dot segments and the like: programs differ in what they make of them.
  if (url.href !== text) return `Must be written in its normal form, ${url.href.slice(0, charactersMax)}.`
  if (answered.some((name) => url.searchParams.has(name))) return `Must not have the parameters ${answered.join(', ')}.`
  return hostFault(url, state)
}

function hostFault(url: URL, state: AppState): string | null {
  const { hostname, port, protocol } = url
  if (port === '0') return 'Must not have the port 0.'
  if (hostname.endsWith('.')) return 'The host must not end with a dot.'
  // Node looks at Punycode in a host of ASCII only when something else makes it: here a soft hyphen, which IDNA drops.
  if (/(^|\.)xn--/.test(hostname) && !URL.canParse(`https://${hostname}\u00ad/`))
    return 'The host is not valid Punycode.'
  // The host is shown to people and stands in the policy of the consent page (W26), where `;` and `,` are signs of their own.
  if (!hostname.startsWith('[') && !/^[a-z0-9._-]+$/.test(hostname))
    return 'The host must be a name of letters, digits, hyphens and dots.'
  const isLoopback = loopbackHosts.includes(hostname)
  // RFC 6761 6.3: every name below it is this machine, too.
  const isLocal = isLoopback || hostname.endsWith('.localhost')
  if (protocol === 'http:') {
    if (!isLoopback) return 'Must use https.'
    if (state === 'live') return 'Must use https: http is for apps in development.'
    return port === '' ? 'Must name its port.' : null
  }
  // The host of a special URL is an IPv4 address as soon as its last label is a number.
  const isAddress = hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname)
  if (isAddress && !(isLoopback && state === 'development')) return 'Must name a host, not an IP address.'
  if (isLocal && state === 'live') return 'Must name a public host: localhost is for apps in development.'
  return null
}
