// A process that may open few files. It sends once to each of the URLs that it is given and opens files until no descriptor is left; then it
// sends to the first URL once more, and takes the next descriptor that is free meanwhile. A line says how that ended.
import { client, closeAll, requestTo } from './loopback-rig.ts'
import { takeDescriptors } from './take-descriptors.fixture.ts'

const takeNext = () => void (takeDescriptors() === 0 && setImmediate(takeNext))

const urls = process.argv.slice(2)
const sender = client()
for (const url of urls) await sender.send(requestTo(url))
takeDescriptors()
setImmediate(takeNext)
const { outcome, isRepeated } = await sender.send(requestTo(urls[0] ?? ''))
process.stdout.write(`${outcome} ${isRepeated}\n`)
await closeAll()
