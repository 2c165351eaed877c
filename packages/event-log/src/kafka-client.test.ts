// Whatever answers at the address of a broker, the service lives.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from '@jest/globals'
import { createTestAuthority } from '@wds/local-infra/certificates'
import { openClient, refusalOf } from './kafka-client.ts'
import { kafkaSocket } from './kafka-socket.ts'
import { LogRefused } from './port.ts'

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** Something on loopback that answers everything so, or hangs up; `cut` resolves when somebody ended a connection to it. */
async function startAnswering(answer: Buffer | null) {
  const cut = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', () => (answer === null ? socket.destroy() : socket.write(answer))).on('error', () => undefined)
    socket.once('close', () => cut.resolve())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ended.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, brokers: [`127.0.0.1:${port}`], cut: cut.promise }
}

const frame = (length: number, rest = '') => {
  const prefix = Buffer.alloc(4)
  prefix.writeInt32BE(length)
  return Buffer.concat([prefix, Buffer.from(rest)])
}

test.each([
  ['an empty frame', frame(0)],
  ['a frame without room for its number', frame(3, 'abc')],
  ['a frame of a negative length', frame(-1)],
  ['a frame of 2 GiB', frame(2 ** 31 - 1)],
])('regression: %s ends the connection and not the process', async (_, answer) => {
  const { brokers, cut } = await startAnswering(answer)
  const { client, end } = openClient({ brokers, clientId: 'test' }, (kafka) => kafka.admin())
  ended.push(() => end(0))
  // It tries again for seconds and then rejects.
  await Promise.race([cut, client.connect()])
})

/** What a socket ends with that greets the port. */
const faultOf = ({ port }: { port: number }, ssl: object | false) => {
  const fault = Promise.withResolvers<Error>()
  const socket = kafkaSocket({ host: '127.0.0.1', port, ssl: ssl as never, onConnect: () => socket.write('hello') })
  socket.once('error', fault.resolve).resume()
  return fault.promise
}

test('regression: a broker that speaks TLS refuses a client that does not, and where it is the other way round the fault says so', async () => {
  const alert = Buffer.from([0x15, 0x03, 0x03, 0, 2, 2, 80])
  expect(refusalOf(await faultOf(await startAnswering(alert), false), 'the connection')).toEqual(
    new LogRefused(
      'Kafka refuses the connection: this client does not speak TLS, which the broker asks for (KAFKA_TLS).',
    ),
  )
  // As Kafka does, to which the greeting of TLS is a request that is too long.
  const plain = await faultOf(await startAnswering(null), {})
  expect(plain.message).toMatch(/took the connection and not TLS \(does that listener speak it\?\)/)
})

test('regression: a broker whose certificate is refused is told by its certificate, not as one without TLS', async () => {
  const authority = createTestAuthority()
  const server = createTlsServer(authority.issue(['localhost'])).on('tlsClientError', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ended.push(async () => {
    await new Promise((resolve) => server.close(resolve))
    authority.remove()
  })
  const fault = await faultOf(server.address() as AddressInfo, {})
  expect(fault.message).toMatch(/certificate/)
  expect(fault.message).not.toMatch(/TLS/)
})
