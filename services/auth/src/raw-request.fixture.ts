// For tests: sends a request as it is told to, the `Host` header included, which `fetch` does not let through.
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

/** To a port of 127.0.0.1, over a connection of its own. */
export function sendRaw(o: {
  port: number
  method: string
  path: string
  headers: Record<string, string | string[]>
  body?: string | Uint8Array | undefined
}): Promise<RawAnswer> {
  const { body } = o
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const options = { ...o, host: '127.0.0.1', headers: { ...length, ...o.headers }, agent: false } as const
  return new Promise((resolve, reject) => {
    const sent = httpRequest(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const isJson = /json/.test(response.headers['content-type'] ?? '')
        const json = isJson && text ? JSON.parse(text) : null
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
