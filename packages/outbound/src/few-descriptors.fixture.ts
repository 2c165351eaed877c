// A process that may open few files, and sends once to each of the URLs that it is given, so many at once: how many ended in which way.
// Names are asked of the server whose address comes first.
import { client, closeAll, requestTo } from './loopback-rig.ts'
import { createResolver } from './resolver.ts'

const [nameServer = '', atOnce = '', ...urls] = process.argv.slice(2)
const sender = client({ resolver: createResolver({ servers: [nameServer] }) })
const outcomes: Record<string, number> = {}
while (urls.length > 0) {
  const ends = await Promise.all(urls.splice(0, Number(atOnce)).map((url) => sender.send(requestTo(url))))
  for (const { outcome } of ends) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
}
await closeAll()
process.stdout.write(JSON.stringify(outcomes))
