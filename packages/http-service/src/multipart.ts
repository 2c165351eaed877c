// Splits a body of multipart/form-data (RFC 7578), which is held in memory within the route's limit, into its parts. It judges the form
// of the body alone: what the parts hold is judged as any body is.
import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { Problem } from './problem.ts'

/** More than any form of ours has. */
const partsMax = 20
/** A form's part has two or three lines of header. */
const headers = { headerPairs: 10, headerSize: 8_192 }
/** Handed to the parser at a time. Where the body is refused it gets no more: it would go through the rest, 10 µs for each boundary. */
const pieceBytes = 4_096
const unreadable = 'The body is not readable as multipart/form-data.'

/** The bytes of each part by its name, or Problem `invalid_request` of what is no such body, or has a part twice or without a name. */
export function readParts(bytes: Buffer, contentType: string): Promise<Map<string, Buffer> | Problem> {
  return new Promise((resolve) => {
    const parts = new Map<string, Buffer>()
    let isRefused = false
    const refuse = (detail: string) => {
      isRefused = true
      resolve(new Problem('invalid_request', { detail }))
    }
    let parser: InstanceType<typeof Busboy>
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType } as BusboyHeaders,
        isPartAFile: () => true,
        limits: { parts: partsMax, ...headers },
      })
    } catch {
      refuse('The Content-Type names no boundary.')
      return
    }
    parser.on('file', (name: string | undefined, part: Readable) => {
      const chunks: Buffer[] = []
      part.on('data', (chunk: Buffer) => chunks.push(chunk))
      part.on('error', () => refuse('The body ends within a part.'))
      part.on('end', () => {
        if (name === undefined || name === '') refuse('A part has no name.')
        else if (parts.has(name)) refuse(`The part ${name.slice(0, 100)} is given more than once.`)
        else parts.set(name, Buffer.concat(chunks))
      })
    })
    parser.on('partsLimit', () => refuse(`The body has more than ${partsMax} parts.`))
    parser.on('error', () => refuse(unreadable))
    parser.on('finish', () => resolve(parts))
    const feed = async (): Promise<void> => {
      for (let from = 0; from < bytes.length && !isRefused; from += pieceBytes) {
        const piece = bytes.subarray(from, from + pieceBytes)
        await new Promise<void>((taken) => parser.write(piece, () => taken()))
      }
      if (!isRefused) parser.end()
    }
    feed().catch(() => refuse(unreadable))
  })
}
