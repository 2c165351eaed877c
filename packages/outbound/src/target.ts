// What may be called, as clients ask it: the checked URL, which of its addresses are tried, and the check of one that is saved.
import type { Result } from '@wds/contracts/result'
import type { CheckedUrl, OutboundPolicy, RefusalReason } from './address-rule.ts'
import { checkParsedUrl, isAllowedAnswer } from './address-rule.ts'
import type { Resolver } from './resolver.ts'

const addressesTriedMax = 3
const checkedUrlsMax = 4_096

/** A URL that may be called, with what each attempt needs of it. */
export interface Target extends CheckedUrl {
  readonly hostname: string
  readonly origin: string
  readonly path: string
}

/** IPv4 first: where a name has both, that is the way more receivers listen on. */
export function inOrder(addresses: readonly string[]): string[] {
  const [v4, v6] = [addresses.filter((address) => !address.includes(':')), addresses.filter((a) => a.includes(':'))]
  return [...v4, ...v6].slice(0, addressesTriedMax)
}

/** The check is a pure function of text and policy: its results are kept for the URLs in use. */
export function cachedCheck(policy: OutboundPolicy): (url: string) => Target | null {
  const known = new Map<string, Target | null>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const target = targetOf(checkParsedUrl(text, policy))
    if (known.size >= checkedUrlsMax) known.clear()
    known.set(text, target)
    return target
  }
}

function targetOf(checked: Result<CheckedUrl, RefusalReason>): Target | null {
  if (!checked.ok) return null
  const { hostname, origin, pathname, search } = checked.value.url
  return { ...checked.value, hostname, origin, path: `${pathname}${search}` }
}

/** Check of an address that is saved (step 7): the serialised URL, or why it is refused; a name that does not resolve is accepted. */
export async function checkAtSave(
  { policy, resolve }: { policy: OutboundPolicy; resolve: Resolver['resolve'] },
  text: string,
): Promise<Result<string, RefusalReason>> {
  const checked = checkParsedUrl(text, policy)
  if (!checked.ok) return checked
  const { url, kind, literal } = checked.value
  const refusal: RefusalReason = kind === 'loopback' ? 'scheme' : 'address'
  if (literal !== null || kind === 'listed') return { ok: true, value: url.href }
  const resolution = await resolve(url.hostname)
  if (!resolution.ok) return kind === 'loopback' ? { ok: false, error: refusal } : { ok: true, value: url.href }
  const isAllowed = resolution.addresses.every((address) => isAllowedAnswer(address, kind, policy))
  return isAllowed ? { ok: true, value: url.href } : { ok: false, error: refusal }
}
