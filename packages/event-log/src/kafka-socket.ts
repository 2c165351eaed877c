// The socket of a Kafka client: what answers at the address of a broker, and is none, ends the connection with a word about what it may
// be. It must never end the process, nor take more into memory than a broker sends.

import { connect, isIP, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import { withoutUndefined } from '@wds/contracts/without-undefined'
import type { ISocketFactoryArgs, KafkaConfig } from 'kafkajs'

const keepAliveMs = 60_000
/** Of an answer. A broker takes no larger request by default, and no fetch asks for more than 4 MiB and a record. */
const frameBytesMax = 100 * 1024 * 1024
const lengthBytes = 4
/** How an alert of TLS begins; as a length it would be 336 MiB. */
const tlsAlert = 0x15_03
/** Of the error where a broker speaks TLS and this client does not: kafkajs keeps of an error its message and its code. */
export const speaksTls = 'KAFKA_SPEAKS_TLS'

/** `open`: how the socket is made; for tests that cut or stop them. */
export function kafkaSocket(
  args: ISocketFactoryArgs,
  open: NonNullable<KafkaConfig['socketFactory']> = openSocket,
): Socket {
  const socket = endingWhatFails(open(args))
  if (args.ssl) namingWhoSpeaksNoTls(socket, args)
  return socket
}

function openSocket({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  const socket = ssl
    ? tlsConnect(withoutUndefined({ host, port, servername: isIP(host) ? undefined : host, ...ssl }), onConnect)
    : connect({ host, port }, onConnect)
  return socket.setKeepAlive(true, keepAliveMs)
}

/** kafkajs throws at a frame that is none, out of the socket's event: it would be the end of the process. It waits for one of any length. */
function endingWhatFails(socket: Socket): Socket {
  const emit = socket.emit.bind(socket)
  const measure = createFrameMeasure()
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    try {
      if (event === 'data') measure(args[0] as Buffer)
      return emit(event, ...args)
    } catch (error) {
      socket.destroy(error as Error)
      return true
    }
  }
  return socket
}

/** Follows the frames of a connection, each behind its length, and throws at one that is too long. */
function createFrameMeasure(): (chunk: Buffer) => void {
  let length = Buffer.alloc(0)
  let left = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const bytes = Math.min(left, chunk.length - at)
        left -= bytes
        at += bytes
        continue
      }
      const part = chunk.subarray(at, at + lengthBytes - length.length)
      length = Buffer.concat([length, part])
      at += part.length
      if (length.length < lengthBytes) return
      left = bytesOf(length)
      length = Buffer.alloc(0)
    }
  }
}

function bytesOf(length: Buffer): number {
  const bytes = length.readInt32BE()
  if (bytes <= frameBytesMax) return Math.max(0, bytes)
  if (length.readUInt16BE() !== tlsAlert) throw new Error(`what answers is no Kafka: ${bytes} bytes in one answer`)
  throw Object.assign(new Error('the broker speaks TLS and this client does not'), { code: speaksTls })
}

/** How a peer ends that does not know the greeting of TLS. A certificate that is refused has words of its own. */
const noTls = ['ECONNRESET', 'EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']

/** Node says only that the connection was reset, as it does where a broker goes. */
function namingWhoSpeaksNoTls(socket: Socket, { host, port }: ISocketFactoryArgs): void {
  let isSecure = false
  let isConnected = false
  socket.once('connect', () => {
    isConnected = true
  })
  socket.once('secureConnect', () => {
    isSecure = true
  })
  socket.once('error', (error: NodeJS.ErrnoException) => {
    if (!isConnected || isSecure || !noTls.includes(error.code ?? '')) return
    error.message = `${host}:${port} took the connection and not TLS (does that listener speak it?): ${error.message}`
  })
}
