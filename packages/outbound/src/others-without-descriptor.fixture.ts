// A process that may open few files. It sends once to each of the URLs that it is given and opens files until no descriptor is left; then
// something else in it connects to the first of them, and tries again. A line for the address and for the name says how both tries ended.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { client, closeAll, requestTo } from './loopback-rig.ts'
import { takeDescriptors } from './take-descriptors.fixture.ts'

async function tryTo(port: number, host: string): Promise<string> {
  const socket = connect(port, host)
  try {
    await once(socket, 'connect')
    return 'connected'
  } catch {
    return 'failed'
  } finally {
    socket.destroy()
  }
}

const urls = process.argv.slice(2)
const sender = client()
for (const url of urls) await sender.send(requestTo(url))
const port = Number(new URL(urls[0] ?? '').port)
for (const host of ['127.0.0.1', 'localhost']) {
  takeDescriptors()
  const first = await tryTo(port, host)
  await sleep(50)
  process.stdout.write(`${first}, ${await tryTo(port, host)}\n`)
}
await closeAll()
