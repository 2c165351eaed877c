// A process that may open few files, and reads each of the feeds that it is given, one after the other; a line for each says how it ended.
// Names are asked of the server whose address comes first.
import { strictPolicy } from './address-rule.ts'
import { createFeedClient, FeedFault } from './feed-client.ts'
import { createResolver } from './resolver.ts'

const [nameServer = '', ...urls] = process.argv.slice(2)
const resolver = createResolver({ servers: [nameServer] })
const client = createFeedClient({ policy: { ...strictPolicy, allow: 'loopback' }, answerBytesMax: 1_000, resolver })
const { signal } = new AbortController()

async function read(url: string): Promise<string> {
  try {
    const times = { firstByteMs: 60_000, deadlineMs: 60_000 }
    const { status, body } = await client.get({ workspaceId: 'wsp_1', url, headers: {}, ...times }, signal)
    for await (const _ of body);
    return String(status)
  } catch (error) {
    return error instanceof FeedFault ? error.code : 'none of its faults'
  }
}

for (const url of urls) process.stdout.write(`${await read(url)}\n`)
await client.close()
