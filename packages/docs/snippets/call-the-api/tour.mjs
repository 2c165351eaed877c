import { createApiClient } from '@wds/api-client/client'
import { itemsOf } from '@wds/api-client/pages'
import { isProblem } from '@wds/api-client/problem'

const client = createApiClient({
  baseUrl: process.env.BASE,
  bearer: () => process.env.KEY,
  retries: { times: 3 }, // 429, 503 and lost answers; a POST takes effect once
})

// A list, page by page behind the scenes.
for await (const integration of itemsOf(client, '/v1/integrations', { query: { limit: 1 } })) {
  console.log(`integration: ${integration.name} (${integration.provider})`)
}

// Make, then change what has not changed meanwhile.
const made = await client.post('/v1/webhooks', { body: { url: `${process.env.RECEIVER}/hooks`, events: ['sync.*'] } })
const path = { id: made.data.id }
await client.patch('/v1/webhooks/{id}', { path, body: { description: 'From the tour' }, ifMatch: made.etag })
const { data: webhook } = await client.get('/v1/webhooks/{id}', { path })
console.log(`webhook: ${webhook.description}, ${webhook.status}`)

// A refusal says what is wrong, and where.
try {
  await client.patch('/v1/webhooks/{id}', { path, body: { rate_limit: -1 } })
} catch (error) {
  if (!isProblem(error)) throw error
  console.log(`refused: ${error.status} ${error.code}, ${error.errors.map(({ pointer }) => pointer)}`)
}

await client.delete('/v1/webhooks/{id}', { path })
