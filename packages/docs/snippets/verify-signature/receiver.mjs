// Receives webhooks: verifies each request, keeps each event once, answers, and works afterwards. Node.js 20 or later, no packages.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { verify } from './verify.mjs'

const secret = process.env.WEBHOOK_SECRET
for (const folder of ['incoming', 'inbox', 'done']) mkdirSync(folder, { recursive: true })

/** Stores the event under its id; false where it is there already. A link is made as a whole or not at all. */
function keep(id, body) {
  const draft = `incoming/${crypto.randomUUID()}`
  writeFileSync(draft, body, { flush: true })
  try {
    linkSync(draft, `inbox/${id}`)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft)
  }
}

/** What you do with an event comes here. Where it throws, the event comes again. */
function work(event) {
  console.log(`work: ${event.type} ${event.id}`)
}

function workOff() {
  for (const id of readdirSync('inbox').filter((one) => !existsSync(`done/${one}`))) {
    try {
      work(JSON.parse(readFileSync(`inbox/${id}`, 'utf8')))
      writeFileSync(`done/${id}`, '')
    } catch (error) {
      console.log(`${id} waits: ${error.message}`)
    }
  }
}

/** The status to answer with. */
async function receive(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks) // the raw bytes: what is signed
  if (!verify(secret, request.headers['x-service-signature'], body)) {
    console.log('refused: the signature does not hold')
    return 401
  }
  const { id } = JSON.parse(body)
  console.log(`${keep(id, body) ? 'kept' : 'known already'}: ${id}`)
  return 204 // within 10 s, so work waits
}

const server = createServer(async (request, response) => {
  try {
    response.writeHead(await receive(request)).end()
  } catch (error) {
    console.log(`not kept: ${error.message}`)
    response.writeHead(500).end() // it comes again
  }
})
server.listen(3000, '127.0.0.1', () => console.log('listening on port 3000'))
setInterval(workOff, 200)
