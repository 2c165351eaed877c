// Decides whether a client's address lies in one of a key's CIDR ranges (auth.md 5). It decides on bits, never on text,
// and fails closed: what cannot be read matches nothing.

import { isIPv4, isIPv6 } from 'node:net'

/** An address as a number; an IPv4-mapped IPv6 address counts as IPv4. */
interface Address {
  family: 4 | 6
  bits: bigint
}

/** A range: the addresses that share the first bits, once `hostBits` are shifted away. */
export interface AddressRange {
  family: 4 | 6
  hostBits: bigint
  network: bigint
}

const mappedStart = 0xffffn

function ipv4Bits(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function groupsOf(text: string): bigint[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [BigInt(`0x${group}`)]
    const bits = ipv4Bits(group)
    return [bits >> 16n, bits & 0xffffn]
  })
}

function ipv6Bits(text: string): bigint {
  const [head = '', tail] = text.split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeroes = Array.from({ length: 8 - before.length - after.length }, () => 0n)
  return [...before, ...zeroes, ...after].reduce((bits, group) => (bits << 16n) | group, 0n)
}

/** The address, or null when the text is none or has a zone. */
function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 4, bits: ipv4Bits(text) }
  if (!isIPv6(text) || text.includes('%')) return null
  const bits = ipv6Bits(text)
  return bits >> 32n === mappedStart ? { family: 4, bits: bits & 0xffff_ffffn } : { family: 6, bits }
}

/** The range of `10.0.0.0/8`, `2001:db8::/32` or a single address, or null. Bits behind the prefix are not looked at. */
export function parseRange(text: string): AddressRange | null {
  const match = /^([0-9A-Fa-f:.]{2,45})(?:\/([0-9]{1,3}))?$/.exec(text)
  const written = match?.[1] ?? ''
  const address = parseAddress(written)
  if (address === null) return null
  const writtenBits = isIPv6(written) ? 128 : 32
  const prefix = match?.[2] === undefined ? writtenBits : Number(match[2])
  // The prefix of a mapped range counts from the start of the IPv6 address: 96 bits of it stand before the IPv4 address.
  const hostBits = writtenBits - prefix
  if (hostBits < 0 || hostBits > (address.family === 4 ? 32 : 128)) return null
  return { family: address.family, hostBits: BigInt(hostBits), network: address.bits >> BigInt(hostBits) }
}

/** Whether the address lies in one of the ranges. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = ranges.length === 0 ? null : parseAddress(address)
  if (parsed === null) return false
  return ranges.some((range) => range.family === parsed.family && parsed.bits >> range.hostBits === range.network)
}
