// What the references hold that is made of code alone; that they are up to date is found by `npm run check`.
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { exampleOf, publishedSchemaOf } from '@wds/contracts/event-schemas'
import { eventTypes } from '@wds/contracts/event-types'
import { problems } from '@wds/contracts/problems'
import { topicDefinitions } from '@wds/contracts/topics'
import { errorPages } from './error-pages.ts'
import { eventLogDocument } from './event-log.ts'
import { eventPages } from './event-pages.ts'
import { limitsPage } from './limits-page.ts'
import { postmanCollection } from './postman.ts'
import { readPrograms } from './programs.ts'
import { publicOpenApi } from './public-openapi.ts'
import { type PublicDocument, routePages } from './route-page.ts'

const root = new URL('../../../../', import.meta.url)
const openApi = JSON.parse(publicOpenApi(root))

test('every code and every event type has a page, and the index leads to each', () => {
  const [errors, events] = [errorPages(), eventPages()]
  for (const code of Object.keys(problems)) {
    expect(errors[`packages/docs/reference/errors/${code}.md`]).toContain(`"code": "${code}"`)
    expect(errors['packages/docs/reference/errors/README.md']).toContain(`(${code}.md)`)
  }
  for (const { type } of eventTypes) {
    expect(events[`packages/docs/reference/events/${type}.md`]).toContain(`"type": "${type}"`)
    expect(events['packages/docs/reference/events/README.md']).toContain(`(${type}.md)`)
  }
})

test('regression: every operation stands on the page of scopes or on that of roles, and on none twice', () => {
  const pages = Object.values(routePages(openApi as PublicDocument))
  for (const [path, item] of Object.entries<Record<string, object>>(openApi.paths))
    for (const method of Object.keys(item).filter((name) => name !== 'parameters')) {
      const row = `| \`${method.toUpperCase()} ${path}\` |`
      // A session opens it as well as a token: it stands on both.
      const found = pages.map((page) => page.split(row).length - 1)
      expect([row, Math.max(...found)]).toEqual([row, 1])
    }
})

test('regression: what Postman sends as it stands moves no money: numbers of a sample are none that is below 0', () => {
  const numbers: number[] = []
  JSON.parse(postmanCollection(openApi), (name, value) => {
    if (name === 'raw' && typeof value === 'string' && /^\{[^{]/.test(value))
      JSON.parse(value, (_, one) => (typeof one === 'number' ? numbers.push(one) : one))
    return value
  })
  expect(numbers.length).toBeGreaterThan(0)
  expect(numbers.filter((one) => one < 0)).toEqual([])
})

test('the retry schedule adds up to that of the specification', async () => {
  const page = await limitsPage(root, await readPrograms(root))
  expect(page).toContain('| 6 | 6h | 7 h 12 min 30 s |')
  expect(page.match(/^\| \d \|/gm)).toHaveLength(6)
})

describe('the AsyncAPI document', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of every shape
  let document: any
  beforeAll(() => {
    document = JSON.parse(eventLogDocument(root, openApi))
  })

  test('has every topic, and every message of a topic is described', () => {
    const addresses = Object.values<{ address: string }>(document.channels).map(({ address }) => address)
    expect(addresses).toEqual(topicDefinitions.map(({ name }) => name))
    for (const { messages } of Object.values<{ messages: object }>(document.channels))
      for (const name of Object.keys(messages)) expect(document.components.messages).toHaveProperty([name])
  })

  test('the payloads of public events are those that webhooks carry', () => {
    for (const { type } of eventTypes) {
      const { payload, examples } = document.components.messages[type]
      const { $schema: _, ...schema } = publishedSchemaOf(type)
      expect([payload, examples[0].payload]).toEqual([schema, exampleOf(type)])
    }
  })

  test('events that only types describe have every member of them', () => {
    const source = readFileSync(new URL('packages/contracts/src/auth-events.ts', root), 'utf8')
    const { messages } = document.components
    const named = [...source.matchAll(/^ {2}([A-Z]\w+): /gm)].map(([, name]) => name as string)
    expect(Object.keys(document.channels.authEvents.messages)).toEqual(named)
    const { data } = messages.OAuthAppChanged.payload.properties
    expect(data.required).toEqual(['app_id', 'client_id', 'workspace_id'])
    expect(data.properties.state).toEqual({ enum: ['development', 'live'] })
    expect(messages.ApiKeyCreated.payload.properties.data.properties.expires).toMatchObject({
      type: ['string', 'null'],
    })
  })
})
