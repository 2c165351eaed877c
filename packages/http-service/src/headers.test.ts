// What the headers of every answer guarantee.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from '@jest/globals'
import { createSecurityHeaders, helmetHandler, linesOf } from './headers.ts'

const message = () => new IncomingMessage(new Socket())

describe('security headers', () => {
  test('C86: every answer has those that the library sets, and no other', () => {
    const [own, expected] = [new ServerResponse(message()), new ServerResponse(message())]
    createSecurityHeaders()(own)
    helmetHandler()(message(), expected, () => undefined)
    expect(own.getHeaders()).toEqual(expected.getHeaders())
    expect(own.getHeaderNames().length).toBeGreaterThan(8)
  })
})

describe('lines of a header', () => {
  test('each line is there as it was sent, whatever the case of its name', () => {
    const request = message()
    request.rawHeaders = ['Host', 'a', 'HOST', 'b', 'hosts', 'c', 'X-Host', 'd', 'Accept', 'host']
    expect(linesOf(request, 'host')).toEqual(['a', 'b'])
    expect(linesOf(request, 'authorization')).toEqual([])
  })
})
