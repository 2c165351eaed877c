// A process that may open few files, and sends once to each of the URLs that it is given, so many at once; a line for each says how it ended.
// Names are asked of the server whose address comes first.
import { client, closeAll, requestTo } from './loopback-rig.ts'
import { createResolver } from './resolver.ts'

const [nameServer = '', atOnce = '', ...urls] = process.argv.slice(2)
const sender = client({ resolver: createResolver({ servers: [nameServer] }) })
const send = async (url: string) => process.stdout.write(`${(await sender.send(requestTo(url))).outcome}\n`)
while (urls.length > 0) await Promise.all(urls.splice(0, Number(atOnce)).map(send))
await closeAll()
