// Decides whether a client's address lies in one of a key's CIDR ranges (auth.md 5). It decides on bits, never on text,
// and fails closed: what cannot be read matches nothing.

import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net'

/** An address in the family that counts: an IPv4-mapped IPv6 address counts as IPv4. */
interface Address {
  family: 'ipv4' | 'ipv6'
  text: string
  /** Bits of the text as it was written that stand before this address. */
  bitsBefore: 0 | 96
}

/** A range of addresses of one family: `::/0` holds no IPv4 address. */
export interface AddressRange {
  family: Address['family']
  /** Leading bits of the family's addresses that count. */
  prefix: number
  block: BlockList
}

/** The address, or null when the text is none or has a zone. */
function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return { family: 'ipv4', text, bitsBefore: 0 }
  if (!isIPv6(text) || text.includes('%')) return null
  const mapped = /^::ffff:([0-9.]+)$/.exec(new SocketAddress({ address: text, family: 'ipv6' }).address)?.[1]
  return mapped === undefined
    ? { family: 'ipv6', text, bitsBefore: 0 }
    : { family: 'ipv4', text: mapped, bitsBefore: 96 }
}

/** The range of `10.0.0.0/8`, `2001:db8::/32` or a single address, or null. Bits behind the prefix are not looked at. */
export function parseRange(text: string): AddressRange | null {
  const match = /^([0-9A-Fa-f:.]{2,45})(?:\/([0-9]{1,3}))?$/.exec(text)
  const address = parseAddress(match?.[1] ?? '')
  if (address === null) return null
  const { family, bitsBefore } = address
  const bits = family === 'ipv4' ? 32 : 128
  // The prefix of a mapped range counts from the start of the IPv6 address.
  const prefix = match?.[2] === undefined ? bits : Number(match[2]) - bitsBefore
  if (prefix < 0 || prefix > bits) return null
  const block = new BlockList()
  block.addSubnet(address.text, prefix, family)
  return { family, prefix, block }
}

/** Whether the address lies in one of the ranges. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = ranges.length === 0 ? null : parseAddress(address)
  if (parsed === null) return false
  return ranges.some(({ family, block }) => family === parsed.family && block.check(parsed.text, family))
}
