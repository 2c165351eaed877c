import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { createReadOrigin } from './request-origin.ts'

const proxies = ['10.0.0.0/8', '2001:db8:1::/48']

function from(remoteAddress: string, headers: Record<string, string | string[]> = {}) {
  const request = { headers: { ...headers }, socket: { remoteAddress } } as unknown as IncomingMessage
  return { ...createReadOrigin(proxies)(request), left: Object.keys(request.headers) }
}

describe('the origin of a request', () => {
  test.each([
    ['a stranger, whatever it says', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['a stranger that names a proxy', '198.51.100.7', '203.0.113.9, 10.0.0.1', '198.51.100.7'],
    ['a proxy that says nothing', '10.0.0.1', '', '10.0.0.1'],
    ['a client behind a proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['a client behind two', '10.0.0.1', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
    ['a client that forged the start of the list', '10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['a client that forged a proxy at the start', '10.0.0.1', '1.2.3.4, 10.3.3.3, 203.0.113.9', '203.0.113.9'],
    ['something that is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['an address with a port', '10.0.0.1', '203.0.113.9:4711', '10.0.0.1'],
    ['a range', '10.0.0.1', '203.0.113.0/24', '10.0.0.1'],
    ['an IPv4 proxy on an IPv6 socket', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['an IPv6 proxy', '2001:db8:1::5', '2001:db8:2::6', '2001:db8:2::6'],
    ['a neighbour of the listed range', '2001:db8:2::5', '203.0.113.9', '2001:db8:2::5'],
    ['a connection that is gone', '', '203.0.113.9', ''],
  ])('C61: %s', (_name, peer, forwardedFor, address) => {
    expect(from(peer, { 'x-forwarded-for': forwardedFor }).address).toBe(address)
  })

  test('C61: header lines are one list, in their order', () => {
    expect(from('10.0.0.1', { 'x-forwarded-for': ['203.0.113.9', '10.7.7.7'] }).address).toBe('203.0.113.9')
  })

  test.each([
    ['10.0.0.1', 'https', true],
    ['10.0.0.1', 'HTTPS', true],
    ['10.0.0.1', 'https, http', false],
    ['10.0.0.1', 'http', false],
    ['198.51.100.7', 'https', false],
  ])('C86: %s says %s: secure %s', (peer, proto, secure) => {
    expect(from(peer, { 'x-forwarded-proto': proto }).secure).toBe(secure)
  })

  test('XT10: a stranger leaves no forwarding header behind, a listed proxy only those that count', () => {
    const forged = {
      forwarded: 'for=1.2.3.4',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-proto': 'https',
      'x-real-ip': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-port': '1',
      'x-forwarded-prefix': '/x',
      host: 'x',
    }
    expect(from('198.51.100.7', forged).left).toEqual(['host'])
    expect(from('10.0.0.1', forged).left.sort()).toEqual(['host', 'x-forwarded-for', 'x-forwarded-proto'])
  })

  test.each(['10.0.0.0/33', 'proxy.example', '', '*'])('%j is no proxy', (text) => {
    expect(() => createReadOrigin([text])).toThrow(RangeError)
  })
})
