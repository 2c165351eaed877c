// A process that may open few files, and sends once to each of the ports that it is given, one after the other: how many ended in which way.
import { client, closeAll, requestTo } from './loopback-rig.ts'

const sender = client()
const outcomes: Record<string, number> = {}
for (const port of process.argv.slice(2)) {
  const { outcome } = await sender.send(requestTo(`http://127.0.0.1:${port}/`))
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
}
await closeAll()
process.stdout.write(JSON.stringify(outcomes))
