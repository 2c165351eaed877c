/** The name servers of the stack's machines: answers for the names of partners, and can be away. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer {
  /** `address:port`. */
  address: string
  leave(): Promise<void>
  come(): Promise<void>
}

/** A question of one name in, its address out; nothing else of DNS is needed. RFC 1035 4.1. */
function answerTo(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5
  const isA = question.readUInt16BE(end - 4) === 1
  const header = Buffer.from(question.subarray(0, 12))
  // Answer, recursion desired and available.
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(isA ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  // The name at offset 12; A, IN; kept for a second, so that a fault is met at once.
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1])
  return Buffer.concat([header, question.subarray(12, end), ...(isA ? [record] : [])])
}

export async function startNameServer(): Promise<NameServer> {
  let socket: Socket | null = null
  const listen = async (port: number) => {
    const opened = createSocket('udp4')
    opened.on('message', (question, from) => opened.send(answerTo(question), from.port, from.address))
    opened.on('error', () => undefined)
    opened.bind(port, '127.0.0.1')
    await once(opened, 'listening')
    socket = opened
    return opened.address().port
  }
  const port = await listen(0)
  return {
    address: `127.0.0.1:${port}`,
    leave: async () => {
      const left = socket
      socket = null
      if (left === null) return
      left.close()
      await once(left, 'close')
    },
    come: async () => void (socket === null && (await listen(port))),
  }
}
