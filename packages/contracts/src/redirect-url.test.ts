import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { redirectUrlFault } from './redirect-url.ts'

describe('S14, W10: a redirect URL', () => {
  test.each([
    'https://app.example.com/callback',
    'https://app.example.com/',
    'https://app.example.com:8443/callback?tenant=7&x=%20',
    'https://xn--bcher-kva.example/r%C3%BCck/',
    `https://example.com/${'x'.repeat(2_028)}`,
  ])('%s may be registered', (url) => {
    expect([redirectUrlFault(url, 'live'), redirectUrlFault(url, 'development')]).toEqual([null, null])
  })

  test.each([
    ...['http://localhost:3000/cb', 'http://127.0.0.1:3000/cb', 'http://[::1]:3000/cb'],
    ...['https://localhost/cb', 'https://localhost:8443/cb', 'https://app.localhost/cb'],
  ])('%s may be registered in development alone', (url) => {
    expect(redirectUrlFault(url, 'development')).toBeNull()
    expect(redirectUrlFault(url, 'live')).toContain('development')
  })

  test.each([
    ['over 2,048 characters', `https://example.com/${'x'.repeat(2_029)}`, '2048'],
    ['relative', '/callback', 'absolute'],
    ['relative to a scheme', '//example.com/cb', 'absolute'],
    ['of another scheme', 'com.example.app:/cb', 'absolute'],
    ['script', 'javascript:alert(1)', 'absolute'],
    ['data', 'data:text/html,x', 'absolute'],
    ['without slashes', 'https:example.com/cb', 'absolute'],
    ['without a host', 'https:///cb', 'normal form'],
    ['plain http', 'http://example.com/cb', 'https'],
    ['with a fragment', 'https://example.com/cb#x', 'fragment'],
    ['with an empty fragment', 'https://example.com/cb#', 'fragment'],
    ['with an empty query', 'https://example.com/cb?', 'empty query'],
    ['with a user', 'https://user@example.com/cb', 'user information'],
    ['with a user and a password', 'https://a.example:443@evil.example/cb', 'user information'],
    ['with an empty user', 'https://@example.com/cb', 'user information'],
    ['with a wildcard in the host', 'https://*.example.com/cb', 'wildcard'],
    ['with a wildcard in the path', 'https://example.com/*', 'wildcard'],
    ['with a space', 'https://example.com/a b', 'space'],
    ['with a space before it', ' https://example.com/cb', 'space'],
    ['with a line break', 'https://example.com/\ncb', 'space'],
    ['with a tab, which parsers drop', 'https://exa\tmple.com/cb', 'space'],
    ['with U+0000', 'https://example.com/\0', 'space'],
    ['with a backslash', 'https://example.com\\@evil.example/cb', 'backslash'],
    ['without a path', 'https://example.com', 'normal form, https://example.com/.'],
    ['with the default port', 'https://example.com:443/cb', 'normal form'],
    ['with an empty port', 'https://example.com:/cb', 'normal form'],
    ['with leading zeros in the port', 'https://example.com:08443/cb', 'normal form'],
    ['with the port 0', 'https://example.com:0/cb', 'port 0'],
    ['with a port above 65535', 'https://example.com:65536/cb', 'absolute'],
    ['with capitals in the scheme', 'HTTPS://example.com/cb', 'normal form'],
    ['with capitals in the host', 'https://Example.com/cb', 'normal form'],
    ['with a host in Unicode (IDNA)', 'https://bücher.example/cb', 'normal form'],
    ['with a host in full-width letters', 'https://ｅxample.com/cb', 'normal form'],
    ['with an ideographic full stop', 'https://example。com/cb', 'normal form'],
    ['with broken Punycode', 'https://www.xn--a.example/cb', 'Punycode'],
    ['with a percent-encoded host', 'https://ex%61mple.com/cb', 'normal form'],
    ['with a host that ends with a dot', 'https://example.com./cb', 'dot'],
    ['with dot segments', 'https://example.com/a/../cb', 'normal form'],
    ['with encoded dot segments', 'https://example.com/a/%2e%2e/cb', 'normal form'],
    ['with Unicode in the path', 'https://example.com/é', 'normal form'],
    ['with an IPv4 address', 'https://192.0.2.1/cb', 'IP address'],
    ['with an IPv4 address as a number', 'https://3221225985/cb', 'normal form'],
    ['with an IPv4 address in hexadecimal', 'https://0xc0.0x0.0x2.0x1/cb', 'normal form'],
    ['with an IPv6 address', 'https://[2001:db8::1]/cb', 'IP address'],
    ['with a mapped loopback address', 'https://[::ffff:127.0.0.1]/cb', 'normal form'],
    ['with a parameter that the answer has', 'https://example.com/cb?state=1', 'parameters'],
    ['with an encoded parameter that the answer has', 'https://example.com/cb?%63ode=1', 'parameters'],
    [
      'regression: with a host that would end a directive of the policy',
      'https://example.com;sandbox/cb',
      'name of letters',
    ],
    [
      'regression: with a host that would begin another policy',
      'https://example.com,example.org/cb',
      'name of letters',
    ],
    ['regression: with a host of other signs', "https://it's.$example.com/cb", 'name of letters'],
  ])('%s is refused', (_what, url, reason) => {
    expect([redirectUrlFault(url, 'live'), redirectUrlFault(url, 'development')]).toEqual([
      expect.stringContaining(reason),
      expect.stringContaining(reason),
    ])
  })

  test.each([
    ['http on a loopback name without a port', 'http://localhost/cb', 'port'],
    ['http on another name of the loopback', 'http://localhost.localdomain:3000/cb', 'https'],
    ['http on another loopback address', 'http://127.0.0.2:3000/cb', 'https'],
    ['http on a name that begins like the loopback', 'http://localhost.evil.example:3000/cb', 'https'],
    ['the loopback address in short', 'http://127.1:3000/cb', 'normal form'],
    ['the loopback address in long', 'http://[0:0:0:0:0:0:0:1]:3000/cb', 'normal form'],
    ['any port', 'http://localhost:*/cb', 'absolute'],
  ])('in development %s is refused', (_what, url, reason) => {
    expect(redirectUrlFault(url, 'development')).toContain(reason)
  })

  test('https on a loopback address is for development', () => {
    const url = 'https://127.0.0.1:3000/cb'
    expect([redirectUrlFault(url, 'development'), redirectUrlFault(url, 'live')]).toEqual([
      null,
      'Must name a host, not an IP address.',
    ])
  })

  test('that is taken is read alike by the URL standard and by RFC 3986, whatever was done to it', () => {
    const bases = ['https://app.example.com:8443/a/b?x=1', 'https://xn--bcher-kva.example/', 'http://localhost:3000/cb']
    const pieces = [
      '@',
      ':',
      '//',
      '\\',
      '#',
      '?',
      '%',
      '%2e',
      '..',
      '.',
      '*',
      '。',
      '[',
      ']',
      '\t',
      'é',
      '0',
      '&code=',
      ' ',
    ]
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 }))
    const edits = fc.array(fc.tuple(fc.nat(60), fc.nat(3), piece), { maxLength: 3 })
    let taken = 0
    fc.assert(
      fc.property(fc.constantFrom(...bases), edits, (base, changes) => {
        const text = changes.reduce((url, [at, cut, added]) => url.slice(0, at) + added + url.slice(at + cut), base)
        if (redirectUrlFault(text, 'development') !== null) return
        taken += 1
        // RFC 3986, appendix B.
        const [, scheme, authority, path, query] = /^([^:/?#]+):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?$/.exec(text) ?? []
        const url = new URL(text)
        expect([`${scheme}:`, authority, path, query ?? '']).toEqual([url.protocol, url.host, url.pathname, url.search])
        expect(text).toMatch(/^[!-~]+$/)
      }),
      { numRuns: 3_000 },
    )
    expect(taken).toBeGreaterThan(100)
  })
})
