// Whatever answers at the address of a broker, the service lives.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, test } from '@jest/globals'
import { openClient } from './kafka-client.ts'

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end()
})

/** Something on loopback that answers everything so; `cut` resolves when somebody ended a connection to it. */
async function startAnswering(answer: Buffer) {
  const cut = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', () => socket.write(answer)).on('error', () => undefined)
    socket.once('close', () => cut.resolve())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ended.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return { brokers: [`127.0.0.1:${(server.address() as AddressInfo).port}`], cut: cut.promise }
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
])('regression: %s ends the connection and not the process', async (_, answer) => {
  const { brokers, cut } = await startAnswering(answer)
  const { client, end } = openClient({ brokers, clientId: 'test' }, (kafka) => kafka.admin())
  ended.push(() => end(0))
  // It tries again for seconds and then rejects.
  await Promise.race([cut, client.connect()])
})
