// Turns the text of an address into its bytes and compares bytes with blocks; every later decision is on bytes, never on text.
// It must never accept a zone, a short form of IPv4 or anything else that two parsers could read in two ways.

import { isIPv4, isIPv6 } from 'node:net'

/** An address as its 4 or 16 bytes, most significant first. */
export type AddressBytes = Uint8Array

/** A parsed CIDR block: its first address and the number of leading bits that count. */
export interface Block {
  readonly first: AddressBytes
  readonly bits: number
}

const parseIpv4 = (text: string): number[] => text.split('.').map(Number)

function groupsOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = parseIpv4(group)
    return [a * 256 + b, c * 256 + d]
  })
}

function parseIpv6(text: string): AddressBytes {
  const [head = '', tail] = text.split('::')
  const left = groupsOf(head)
  const right = tail === undefined ? [] : groupsOf(tail)
  const bytes = new Uint8Array(16)
  left.forEach((group, i) => {
    bytes[i * 2] = group >> 8
    bytes[i * 2 + 1] = group & 255
  })
  right.forEach((group, i) => {
    const at = 16 - (right.length - i) * 2
    bytes[at] = group >> 8
    bytes[at + 1] = group & 255
  })
  return bytes
}

/** The bytes of an address in its plain text form; null when it cannot be parsed or has a zone (security.md 1.2.1). */
export function parseAddress(text: string): AddressBytes | null {
  if (isIPv4(text)) return Uint8Array.from(parseIpv4(text))
  if (text.includes('%') || !isIPv6(text)) return null
  return parseIpv6(text)
}

/** A block in CIDR notation; throws a plain Error that names the text when it is none (a fault of configuration, found at start). */
export function parseBlock(text: string): Block {
  const [address = '', prefix = ''] = text.split('/')
  const first = parseAddress(address)
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (first === null || !(bits >= 0 && bits <= first.length * 8)) throw new Error(`not a CIDR block: ${text}`)
  return { first, bits }
}

/** True when the address is of the block's family and inside it. */
export function isInBlock(address: AddressBytes, block: Block): boolean {
  if (address.length !== block.first.length) return false
  const whole = block.bits >> 3
  for (let i = 0; i < whole; i += 1) if (address[i] !== block.first[i]) return false
  const rest = block.bits & 7
  if (rest === 0) return true
  const mask = (255 << (8 - rest)) & 255
  return ((address[whole] ?? 0) & mask) === ((block.first[whole] ?? 0) & mask)
}

const loopbackBlocks = [parseBlock('127.0.0.0/8'), parseBlock('::1/128')]

/** True for 127.0.0.0/8 and ::1 only; a mapped form is not loopback. */
export function isLoopback(text: string): boolean {
  const bytes = parseAddress(text)
  return bytes !== null && loopbackBlocks.some((block) => isInBlock(bytes, block))
}

/** An IPv4-mapped address as IPv4 bytes, everything else unchanged: only for comparing a socket's peer with its pinned address. */
export function unwrapMapped(address: AddressBytes): AddressBytes {
  const isMapped =
    address.length === 16 && address.subarray(0, 10).every((b) => b === 0) && address[10] === 255 && address[11] === 255
  return isMapped ? address.slice(12) : address
}

/** True when both texts mean the same address, a mapped form unwrapped (security.md 1.3.5). */
export function isSameAddress(a: string, b: string): boolean {
  const [left, right] = [parseAddress(a), parseAddress(b)]
  if (left === null || right === null) return false
  const [x, y] = [unwrapMapped(left), unwrapMapped(right)]
  return x.length === y.length && x.every((byte, i) => byte === y[i])
}
