// The attack rules of security.md 2 that need no network: each generates many inputs of its class.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseAddress, parseBlock } from './address-bytes.ts'
import { checkUrl, isAllowedAddress, type OutboundPolicy, strictPolicy } from './address-rule.ts'
import { internalNames, refusedPorts, specialUseNames } from './refused-names.ts'
import {
  cloudHostServiceBlocks,
  ipv4MulticastBlock,
  ipv4SpecialPurposeBlocks,
  ipv6SpecialPurposeBlocks,
  registryDate,
} from './special-purpose-blocks.ts'

const policy = strictPolicy
const isOk = (url: string, p: OutboundPolicy = policy): boolean => checkUrl(url, p).ok
const reasonOf = (url: string, p: OutboundPolicy = policy): string | null => {
  const checked = checkUrl(url, p)
  return checked.ok ? null : checked.reason
}

const toNumber = (bytes: Uint8Array): bigint => bytes.reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n)
const toText = (value: bigint, length: number): string => {
  const bytes = Array.from({ length }, (_, i) => Number((value >> BigInt(8 * (length - 1 - i))) & 255n))
  if (length === 4) return bytes.join('.')
  return Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) * 256 + (bytes[i * 2 + 1] ?? 0)).toString(16)).join(
    ':',
  )
}
const edgesOf = (block: string) => {
  const { first, bits } = parseBlock(block)
  const start = toNumber(first)
  const end = start + (1n << BigInt(first.length * 8 - bits)) - 1n
  const max = (1n << BigInt(first.length * 8)) - 1n
  return { start, end, max, length: first.length }
}
const allBlocks = [
  ...ipv4SpecialPurposeBlocks,
  ipv4MulticastBlock,
  ...ipv6SpecialPurposeBlocks,
  ...cloudHostServiceBlocks,
].map(({ block }) => block)
const isCovered = (value: bigint, length: number): boolean =>
  allBlocks.some((block) => {
    const edges = edgesOf(block)
    return edges.length === length && value >= edges.start && value <= edges.end
  })

const byte = fc.integer({ min: 0, max: 255 })
const octets = fc.tuple(byte, byte, byte, byte)
const hostOf = (address: string): string => (address.includes(':') ? `[${address}]` : address)
const group = fc.integer({ min: 0, max: 0xffff }).map((g) => g.toString(16))

/** Every spelling of an IPv4 address that URL parsers know: 1 to 4 parts, each decimal, octal or hexadecimal. */
const spelling = (address: fc.Arbitrary<[number, number, number, number]>) =>
  fc
    .tuple(
      address,
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.constantFrom('d', 'o', 'x', 'X'), { minLength: 4, maxLength: 4 }),
    )
    .map(([[a, b, c, d], parts, bases]) => {
      const last = [((a * 256 + b) * 256 + c) * 256 + d, (b * 256 + c) * 256 + d, c * 256 + d, d][parts - 1] ?? 0
      const numbers = [...[a, b, c].slice(0, parts - 1), last]
      const text = numbers.map((n, i) => {
        const base = bases[i]
        if (base === 'o') return `0${n.toString(8)}`
        return base === 'd' ? String(n) : `0${base}${n.toString(16)}`
      })
      return { plain: [a, b, c, d].join('.'), text: text.join('.') }
    })

describe('check(url)', () => {
  test('an ordinary public URL is accepted and its serialised form returned', () => {
    for (const url of [
      'https://hooks.acme-corp.io/a?b=c',
      'https://8.8.8.8/',
      'https://a.io:8443/x',
      'https://[2606:4700::1111]/',
    ]) {
      expect(checkUrl(url, policy)).toMatchObject({ ok: true })
    }
  })

  test('XA01 XA02 XA03: an IPv4 address in any short, decimal, octal, hexadecimal or mixed form is judged as the address it means', () => {
    fc.assert(
      fc.property(spelling(octets), ({ plain, text }) => {
        expect(isOk(`https://${text}/hook`)).toBe(isAllowedAddress(plain, policy))
      }),
      { numRuns: 500 },
    )
  })

  test('XA04: a trailing dot, one or many, is refused for names and harmless for addresses', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('acme.io', 'hooks.acme.io', 'localhost'),
        fc.integer({ min: 1, max: 4 }),
        (name, dots) => {
          expect(isOk(`https://${name}${'.'.repeat(dots)}/`)).toBe(false)
        },
      ),
    )
    expect(isOk('https://127.0.0.1./')).toBe(false)
    expect(isOk('https://10.1.2.3../')).toBe(false)
  })

  test('XA05: full-width and other Unicode digits and dots are judged as the address they mean', () => {
    const dots = fc.constantFrom('.', '\u3002', '\uff0e', '\uff61')
    const digits = fc.constantFrom(0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2)
    fc.assert(
      fc.property(octets, dots, digits, (address, dot, zero) => {
        const plain = address.join('.')
        const text = address
          .map((n) => [...String(n)].map((c) => String.fromCodePoint(zero + Number(c))).join(''))
          .join(dot)
        const checked = checkUrl(`https://${text}/`, policy)
        if (checked.ok) expect(checked.url.hostname).toBe(plain)
        if (!isAllowedAddress(plain, policy)) expect(checked.ok).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  test('XA06: a percent-encoded host is judged as the host it means', () => {
    const encode = (text: string): string => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')
    fc.assert(
      fc.property(octets, (address) => {
        expect(isOk(`https://${encode(address.join('.'))}/`)).toBe(isAllowedAddress(address.join('.'), policy))
      }),
    )
    for (const bad of ['localhost', 'a%00.io', 'metadata.google.internal'])
      expect(isOk(`https://${encode(bad)}/`)).toBe(false)
  })

  test('XA07 XA08: unspecified and loopback addresses are refused in every spelling, both families', () => {
    const local = fc.oneof(
      fc.tuple(fc.constant(127), byte, byte, byte) as fc.Arbitrary<[number, number, number, number]>,
      fc.tuple(fc.constant(0), byte, byte, byte) as fc.Arbitrary<[number, number, number, number]>,
    )
    fc.assert(fc.property(spelling(local), ({ text }) => expect(isOk(`https://${text}/`)).toBe(false)))
    for (const ip of [
      '::',
      '::1',
      '0:0:0:0:0:0:0:1',
      '0000::0001',
      '::0.0.0.1',
      '0::',
      '::127.0.0.1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
    ]) {
      expect(isOk(`https://[${ip}]/`)).toBe(false)
    }
  })

  test('XA09 XA10 XA11 XA12: IPv6 that embeds IPv4 is refused, also when the embedded address is public', () => {
    const forms = (v4: string, hi: string, lo: string): string[] => [
      `::${v4}`,
      `::ffff:${v4}`,
      `::ffff:0:${v4}`,
      `64:ff9b::${v4}`,
      `64:ff9b:1::${v4}`,
      `2002:${hi}:${lo}::1`,
      `2001:0:${hi}:${lo}::`,
      `2001:0:4136:e378:8000:63bf:${hi}:${lo}`,
    ]
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        const hex = (x: number, y: number): string => (x * 256 + y).toString(16)
        for (const ip of forms([a, b, c, d].join('.'), hex(a, b), hex(c, d))) {
          expect(isAllowedAddress(ip, policy)).toBe(false)
          expect(isOk(`https://[${ip}]/`)).toBe(false)
        }
      }),
    )
  })

  test('XA13 XA14: link-local addresses are refused with and without a zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0xfe80, max: 0xfebf }),
        group,
        fc.constantFrom('', '%eth0', '%25eth0', '%1'),
        (first, low, zone) => {
          expect(isOk(`https://[${first.toString(16)}::${low}${zone}]/`)).toBe(false)
          expect(isAllowedAddress(`${first.toString(16)}::${low}${zone}`, policy)).toBe(false)
        },
      ),
    )
    expect(isAllowedAddress('2606:4700::1111%eth0', policy)).toBe(false)
  })

  test('XA15: every other IPv6 address outside 2000::/3 is refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const isGlobal = ((bytes[0] ?? 0) & 0xe0) === 0x20
        const text = toText(toNumber(bytes), 16)
        if (!isGlobal) expect(isAllowedAddress(text, policy)).toBe(false)
        else expect(isAllowedAddress(text, policy)).toBe(!isCovered(toNumber(bytes), 16))
      }),
      { numRuns: 500 },
    )
  })

  test('XA16 XA17: metadata and host services of clouds are refused, those with public-looking addresses included', () => {
    for (const { block } of cloudHostServiceBlocks) {
      const { start, end, length } = edgesOf(block)
      for (const value of [start, end]) expect(isOk(`https://${hostOf(toText(value, length))}/latest`)).toBe(false)
    }
    expect(isAllowedAddress('168.63.129.16', policy)).toBe(false)
    for (const neighbour of ['168.63.129.15', '168.63.129.17']) expect(isAllowedAddress(neighbour, policy)).toBe(true)
  })

  test.each(allBlocks)(
    'XA18: first and last address of %s are refused, the uncovered neighbours outside are allowed',
    (block) => {
      const { start, end, max, length } = edgesOf(block)
      for (const value of [start, end, (start + end) / 2n])
        expect(isAllowedAddress(toText(value, length), policy)).toBe(false)
      for (const value of [start - 1n, end + 1n]) {
        if (value < 0n || value > max || isCovered(value, length)) continue
        const isGlobal = length === 4 || value >> 125n === 1n
        expect(isAllowedAddress(toText(value, length), policy)).toBe(isGlobal)
      }
    },
  )

  test('XA19: special, internal and single-label names are refused by name in any case', () => {
    const entry = fc.constantFrom(...specialUseNames, ...internalNames)
    const prefix = fc.constantFrom('', 'a.', 'hooks.acme.', 'x-1.')
    fc.assert(
      fc.property(entry, prefix, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (name, before, upper) => {
        const text = [...(before + name)].map((c, i) => (upper[i] ? c.toUpperCase() : c)).join('')
        expect(reasonOf(`https://${text}/`)).toBe('name')
      }),
    )
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9-]{0,20}[a-z]$/), (name) =>
        expect(isOk(`https://${name}/`)).toBe(false),
      ),
    )
  })

  test('XA23: user information is refused, also when it is empty or encoded', () => {
    for (const user of ['u@', 'u:p@', ':@', '@', ':p@', '%40@', '8.8.8.8@', 'a.io:443@']) {
      expect(reasonOf(`https://${user}hooks.acme.io/`)).toBe('credentials')
    }
  })

  test('XA24: separators, slashes and signs that parsers read differently are refused or judged by the parsed host', () => {
    const bad = [
      'https:acme.io',
      'https:/acme.io',
      'https:///acme.io',
      'https:\\\\acme.io',
      'https://acme.io\\@10.0.0.1/',
      'https:////acme.io',
    ]
    for (const url of bad) expect(reasonOf(url)).toBe('malformed')
    fc.assert(
      fc.property(fc.constantFrom('#', '?', '/', ';', '&', ',', '@'), octets, (sign, address) => {
        const checked = checkUrl(`https://acme.io${sign}${address.join('.')}/`, policy)
        if (checked.ok) expect(checked.url.hostname).toBe('acme.io')
      }),
    )
    expect(reasonOf('https://acme.io/#x')).toBe('fragment')
    expect(reasonOf('https://acme.io/#')).toBe('fragment')
  })

  test('XA25 XA26: control characters, white space and invisible characters are refused wherever they stand', () => {
    const character = fc.oneof(
      fc.integer({ min: 0, max: 0x20 }),
      fc.integer({ min: 0x7f, max: 0xa0 }),
      fc.constantFrom(0xad, 0x200b, 0x200e, 0x202e, 0x2028, 0x2029, 0x3000, 0xfeff, 0x1680, 0x5c, 0xd800),
    )
    const base = 'https://hooks.acme.io/path?q=1'
    fc.assert(
      fc.property(character, fc.integer({ min: 0, max: base.length }), (code, at) => {
        const url = base.slice(0, at) + String.fromCharCode(code) + base.slice(at)
        expect(reasonOf(url)).toBe('malformed')
      }),
      { numRuns: 500 },
    )
  })

  test('XA27: every scheme but https is refused', () => {
    const known = fc.constantFrom(
      'http',
      'ftp',
      'file',
      'gopher',
      'ws',
      'wss',
      'data',
      'javascript',
      'dict',
      'ldap',
      'blob',
      'about',
    )
    const any = fc.oneof(known, fc.stringMatching(/^[a-z][a-z0-9+.-]{0,12}$/)).filter((scheme) => scheme !== 'https')
    fc.assert(
      fc.property(any, fc.constantFrom('://acme.io/', ':acme.io', ':///acme.io'), (scheme, rest) =>
        expect(isOk(scheme + rest)).toBe(false),
      ),
    )
  })

  test('XA28: ports outside the list, zero, out of range and well-known service ports are refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 70_000 }), (port) => {
        expect(isOk(`https://acme.io:${port}/`)).toBe(port === 443 || port === 8443)
      }),
      { numRuns: 500 },
    )
    const open = { ...policy, ports: [443, ...refusedPorts] }
    for (const port of refusedPorts) expect(reasonOf(`https://acme.io:${port}/`, open)).toBe('port')
  })

  test('XA29: over-long URLs and labels, empty labels and broken IDNA are refused', () => {
    const name = 'acme.io'
    expect(reasonOf(`https://${name}/${'a'.repeat(2048)}`)).toBe('too_long')
    expect(isOk(`https://${name}/${'a'.repeat(2048 - 16)}`)).toBe(true)
    expect(reasonOf(`https://${name}/${'\u20ac'.repeat(400)}`)).toBe('too_long')
    const bad = [
      `${'a'.repeat(64)}.io`,
      `a..io`,
      `.acme.io`,
      `${'a.'.repeat(127)}io`,
      'xn--.io',
      'xn--a.io',
      '-a.io',
      'a-.io',
      'a_b.io',
      'xn--\u00fc.io',
    ]
    for (const host of bad) expect(isOk(`https://${host}/`)).toBe(false)
    expect(isOk(`https://${'a'.repeat(63)}.io/`)).toBe(true)
  })

  test('XA30: names, addresses and ports of this service are refused', () => {
    const own = { ...policy, ownNames: ['api.wds.io'], blocked: ['198.20.0.0/24', '2600:1::/32'], ownPorts: [8443] }
    for (const host of ['api.wds.io', 'API.wds.IO', 'x.api.wds.io', '198.20.0.7', '[2600:1::9]', 'acme.io:8443']) {
      expect(isOk(`https://${host}/`, own)).toBe(false)
    }
    expect(isOk('https://other.wds.io/', own)).toBe(true)
  })

  test('XA33: an international name is returned as punycode', () => {
    const checked = checkUrl('https://b\u00fccher.acme.io/', policy)
    expect(checked).toMatchObject({ ok: true })
    if (checked.ok) expect(checked.url.href).toBe('https://xn--bcher-kva.acme.io/')
  })

  test('any text at all gives an answer and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.webUrl()),
        (text) => typeof isOk(text) === 'boolean',
      ),
    )
  })
})

describe('WDS_OUTBOUND_ALLOW', () => {
  const loopback: OutboundPolicy = { ...policy, allow: 'loopback', ownPorts: [15432, 3000] }

  test('loopback allows plain http to this machine on any port but those of the project', () => {
    const good = [
      'http://localhost:9000/x',
      'http://127.0.0.1/',
      'http://[::1]:8080/',
      'http://127.9.9.9:25/',
      'http://a.localhost:1234/',
      'http://2130706433:99/',
    ]
    for (const url of good) expect(isOk(url, loopback)).toBe(true)
    for (const url of ['http://localhost:15432/', 'http://127.0.0.1:3000/', 'http://localhost:0/'])
      expect(reasonOf(url, loopback)).toBe('port')
  })

  test('loopback opens no other address, no credentials and no https to this machine', () => {
    const bad = [
      'http://10.0.0.1/',
      'http://0.0.0.0:9000/',
      'http://[::ffff:127.0.0.1]:9000/',
      'http://[::]:9000/',
      'http://8.8.8.8/',
      'http://u:p@localhost:9000/',
      'http://localhost.:9000/',
      'https://127.0.0.1/',
      'https://localhost/',
      'ftp://localhost/',
    ]
    for (const url of bad) expect(isOk(url, loopback)).toBe(false)
  })

  test('an exact origin allows that origin only', () => {
    const listed: OutboundPolicy = { ...policy, allow: ['http://10.0.0.5:8080', 'https://hooks.test:9443'] }
    for (const url of ['http://10.0.0.5:8080/a', 'https://hooks.test:9443/']) expect(isOk(url, listed)).toBe(true)
    for (const url of [
      'http://10.0.0.5:8081/',
      'https://10.0.0.5:8080/',
      'http://hooks.test:9443/',
      'http://localhost/',
    ]) {
      expect(isOk(url, listed)).toBe(false)
    }
  })
})

test('the blocks carry the date of their registries, and none is listed twice', () => {
  expect(registryDate).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  expect(new Set(allBlocks).size).toBe(allBlocks.length)
})

test('an address is parsed to its bytes or not at all', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) =>
      expect(parseAddress(text)).toEqual(parseAddress(new URL(`http://[${text}]/`).hostname.slice(1, -1))),
    ),
  )
  for (const bad of [
    '',
    '1',
    '1.2.3',
    '01.2.3.4',
    '0x7f.1',
    '1.2.3.4.5',
    '::1%lo',
    'fe80::1%1',
    ':::',
    '1:2',
    '127.0.0.1 ',
  ])
    expect(parseAddress(bad)).toBeNull()
})
