// Decides whether an address that a user gave may be called: check(url) and allowed(ip) of security.md 1.1 and 1.2, pure, without DNS.
// Every doubt is a refusal; from the parse on only the parsed URL counts, never the raw text.

import { domainToUnicode } from 'node:url'
import type { Result } from '@wds/contracts/result'
import { type AddressBytes, type Block, isInBlock, isLoopback, parseAddress, parseBlock } from './address-bytes.ts'
import { isUnderLocalhost } from './localhost-name.ts'
import { internalNames, refusedPorts, specialUseNames } from './refused-names.ts'
import {
  cloudHostServiceBlocks,
  ipv4MulticastBlock,
  ipv4SpecialPurposeBlocks,
  ipv6GlobalUnicastBlock,
  ipv6SpecialPurposeBlocks,
} from './special-purpose-blocks.ts'

/** What a deployment allows besides the fixed rules. */
export interface OutboundPolicy {
  /** `none` in production; `loopback` or exact origins while developing (WDS_OUTBOUND_ALLOW). */
  readonly allow: 'none' | 'loopback' | readonly string[]
  /** Ports of the database, the broker and the project's own services: refused everywhere. */
  readonly ownPorts: readonly number[]
  /** This service's own public names: refused with everything below them. */
  readonly ownNames: readonly string[]
  /** Allowed ports, by default 443 and 8443. */
  readonly ports: readonly number[]
  /** Further CIDR blocks: own, egress and cluster ranges. */
  readonly blocked: readonly string[]
}

/** The policy of production. */
export const strictPolicy: OutboundPolicy = {
  allow: 'none',
  ownPorts: [],
  ownNames: [],
  ports: [443, 8443],
  blocked: [],
}

/** Reason classes of a refusal; they name the rule, never a resolved address. */
export type RefusalReason =
  | 'malformed'
  | 'too_long'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'address'
  | 'name'

/**
 * Which answers a checked URL may have: `public` those that `isAllowedAddress` allows, `loopback` loopback only (plain http while developing),
 * `listed` any (an exact origin of the configuration).
 */
export type TargetKind = 'public' | 'loopback' | 'listed'

/** A URL that passed check steps 1 to 6. `literal` is the address when the host is one (without brackets), else null. */
export interface CheckedUrl {
  readonly url: URL
  readonly kind: TargetKind
  readonly literal: string | null
}

const urlCharactersMax = 2048
// Control and format characters, every white space, backslash: parsers drop or convert them in silence.
const refusedCharacters = /[\p{Cc}\p{Cf}\s\\]/u
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const parseAll = (blocks: readonly { block: string }[]): Block[] => blocks.map(({ block }) => parseBlock(block))
const refusedIpv4 = [...parseAll(ipv4SpecialPurposeBlocks), parseBlock(ipv4MulticastBlock.block)]
const refusedIpv6 = parseAll(ipv6SpecialPurposeBlocks)
const globalUnicast = parseBlock(ipv6GlobalUnicastBlock.block)
const cloudHostServices = parseAll(cloudHostServiceBlocks)
const refusedNames = [...specialUseNames, ...internalNames]

const configuredBlocks = new WeakMap<readonly string[], Block[]>()

function blocksOf(policy: OutboundPolicy): Block[] {
  const known = configuredBlocks.get(policy.blocked)
  if (known !== undefined) return known
  const parsed = policy.blocked.map(parseBlock)
  configuredBlocks.set(policy.blocked, parsed)
  return parsed
}

const isInAny = (address: AddressBytes, blocks: readonly Block[]): boolean =>
  blocks.some((block) => isInBlock(address, block))

/** allowed(ip) of security.md 1.2: true only for an address in ordinary public space that no block, cloud list or configured range covers. */
export function isAllowedAddress(ip: string, policy: OutboundPolicy): boolean {
  const address = parseAddress(ip)
  if (address === null) return false
  const isOrdinary =
    address.length === 4
      ? !isInAny(address, refusedIpv4)
      : isInBlock(address, globalUnicast) && !isInAny(address, refusedIpv6)
  return isOrdinary && !isInAny(address, cloudHostServices) && !isInAny(address, blocksOf(policy))
}

/** True when this one answer may be connected to for this target; all answers of a name must pass (connect step 3). */
export function isAllowedAnswer(ip: string, kind: TargetKind, policy: OutboundPolicy): boolean {
  if (kind === 'listed') return parseAddress(ip) !== null
  return kind === 'loopback' ? isLoopback(ip) : isAllowedAddress(ip, policy)
}

/** Throws a plain Error when the policy itself is faulty (a block that is none, an origin that is none); called once at start. */
export function assertPolicy(policy: OutboundPolicy): void {
  blocksOf(policy)
  if (typeof policy.allow === 'string') return
  for (const origin of policy.allow) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) throw new Error(`not an origin: ${origin}`)
  }
}

function parse(text: string): Result<URL, RefusalReason> {
  if (typeof text !== 'string') return { ok: false, error: 'malformed' }
  if (text.length > urlCharactersMax) return { ok: false, error: 'too_long' }
  if (refusedCharacters.test(text) || !text.isWellFormed()) return { ok: false, error: 'malformed' }
  if (!URL.canParse(text)) return { ok: false, error: 'malformed' }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, error: 'scheme' }
  // Forms that the WHATWG parser repairs and others read differently: `https:host`, `https:///host`, `https://user@host`.
  const raw = /^[a-z]+:\/\/([^/?#]+)/i.exec(text)
  if (raw === null) return { ok: false, error: 'malformed' }
  if (url.username !== '' || url.password !== '' || raw[1]?.includes('@')) return { ok: false, error: 'credentials' }
  if (url.href.includes('#')) return { ok: false, error: 'fragment' }
  if (url.href.length > urlCharactersMax) return { ok: false, error: 'too_long' }
  return { ok: true, value: url }
}

const isUnder = (name: string, entry: string): boolean => name === entry || name.endsWith(`.${entry}`)

function literalOf(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return parseAddress(host) === null ? null : host
}

/** The URL parser lets undecodable punycode pass; such a name means nothing and other parsers read it in their own way. */
const isReadableIdna = (name: string): boolean =>
  !name.includes('xn--') ||
  !domainToUnicode(name)
    .split('.')
    .some((part) => part === '' || part.startsWith('xn--'))

function isAllowedName(name: string, policy: OutboundPolicy): boolean {
  const labels = name.split('.')
  if (labels.length < 2 || name.length > 253 || !labels.every((part) => label.test(part))) return false
  if (!isReadableIdna(name)) return false
  return (
    !refusedNames.some((entry) => isUnder(name, entry)) &&
    !policy.ownNames.some((own) => isUnder(name, own.toLowerCase()))
  )
}

const portOf = (url: URL): number => (url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port))

/** Plain http while developing: an address must be loopback; a name may be one until its answers say otherwise (security.md 1.4). */
function checkLoopback(url: URL, literal: string | null, policy: OutboundPolicy): Result<CheckedUrl, RefusalReason> {
  if (policy.ownPorts.includes(portOf(url)) || portOf(url) === 0) return { ok: false, error: 'port' }
  if (literal !== null && !isLoopback(literal)) return { ok: false, error: 'scheme' }
  const isName = isUnderLocalhost(url.hostname) || url.hostname.split('.').every((part) => label.test(part))
  if (literal === null && (!isName || url.hostname.length > 253)) return { ok: false, error: 'name' }
  return { ok: true, value: { url, kind: 'loopback', literal } }
}

/** check(url) of security.md 1.1.1 to 1.1.6. The caller stores, shows and sends to `url.href` only. */
export function checkParsedUrl(text: string, policy: OutboundPolicy): Result<CheckedUrl, RefusalReason> {
  const parsed = parse(text)
  if (!parsed.ok) return parsed
  const url = parsed.value
  const literal = literalOf(url)
  if (typeof policy.allow !== 'string' && policy.allow.includes(url.origin))
    return { ok: true, value: { url, kind: 'listed', literal } }
  if (policy.allow === 'loopback' && url.protocol === 'http:') return checkLoopback(url, literal, policy)
  if (url.protocol !== 'https:') return { ok: false, error: 'scheme' }
  const port = portOf(url)
  if (!policy.ports.includes(port) || refusedPorts.has(port) || policy.ownPorts.includes(port))
    return { ok: false, error: 'port' }
  if (literal !== null) {
    return isAllowedAddress(literal, policy)
      ? { ok: true, value: { url, kind: 'public', literal } }
      : { ok: false, error: 'address' }
  }
  return isAllowedName(url.hostname, policy)
    ? { ok: true, value: { url, kind: 'public', literal } }
    : { ok: false, error: 'name' }
}

/** The same check in the shape the HTTP layer wants. */
export function checkUrl(
  text: string,
  policy: OutboundPolicy,
): { ok: true; url: URL } | { ok: false; reason: RefusalReason } {
  const checked = checkParsedUrl(text, policy)
  return checked.ok ? { ok: true, url: checked.value.url } : { ok: false, reason: checked.error }
}
