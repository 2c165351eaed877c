// How tests talk to the widgets: one call for ordinary requests, one for bytes on a bare socket.

import { connect } from 'node:net'
import { withoutUndefined } from '@wds/contracts/without-undefined'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

export interface Call {
  method?: string
  token?: string | null
  headers?: Record<string, string>
  body?: string | Uint8Array | object
}

/** Calls with token `a` unless told; an object is sent as JSON. */
export async function call(url: string, o: Call = {}): Promise<Answer> {
  const { method = o.body === undefined ? 'GET' : 'POST', token = 'a', body } = o
  const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
  const headers = withoutUndefined<Record<string, string>>({
    authorization: token === null ? undefined : `Bearer ${token}`,
    'content-type': body === undefined ? undefined : 'application/json',
    ...o.headers,
  })
  const init: RequestInit = { method, headers }
  if (body !== undefined) init.body = raw ? (body as string) : JSON.stringify(body)
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return { status: response.status, headers: response.headers, text, json: isJson && text ? JSON.parse(text) : null }
}

/** Writes the text and gives back all that comes until the server closes. */
export function exchangeRaw(port: number, text: string, o: { end?: boolean } = {}): Promise<string> {
  return new Promise((settle, fail) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      if (o.end) socket.end()
    })
    socket.setTimeout(15_000, () => socket.destroy(new Error(`no end of the answer: ${answer}`)))
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8')
    })
    socket.on('error', (error) => (answer ? settle(answer) : fail(error)))
    socket.on('close', () => settle(answer))
  })
}

/**
 * As a simple client does it (Python's `http.client`): sends the head and `bodyBytes` of body before it reads anything, then gives back
 * all that comes until the server closes or the answer of `Content-Length` is whole. Fails when the connection is reset before that.
 */
export function sendAllThenRead(port: number, head: string, bodyBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const isWhole = () => {
    const [top = '', rest] = answer.split('\r\n\r\n', 2)
    return rest !== undefined && rest.length === Number(/content-length: (\d+)/i.exec(top)?.[1] ?? -1)
  }
  socket.pause()
  socket.setTimeout(15_000, () => socket.destroy(new Error(`neither read nor closed: ${answer}`)))
  socket.on('error', reject)
  socket.on('data', (chunk) => {
    answer += chunk.toString('utf8')
    if (isWhole()) socket.destroy()
  })
  socket.on('close', () => resolve(answer))
  socket.write(head)
  socket.write(Buffer.alloc(bodyBytes, 'x'), () => socket.resume())
  return promise
}
