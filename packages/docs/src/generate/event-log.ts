// The event log between the services as AsyncAPI 3.0 (docs.md 3): topics, keys, headers, payloads. From `contracts` and the OpenAPI document.
import { fileURLToPath } from 'node:url'
import { exampleOf, publishedSchemaOf } from '@wds/contracts/event-schemas'
import { eventTypes } from '@wds/contracts/event-types'
import { type Topic, type TopicDefinition, topicDefinitions, topics } from '@wds/contracts/topics'
import { type Schema, schemasOf } from './typescript-schema.ts'

interface Message {
  name: string
  title: string
  summary?: string
  payload: Schema
  example?: unknown
}

const keys: Record<Topic, string> = {
  'auth.events': 'the workspace; without one the user, the client or the `kid` of a signing key',
  'workspace.events': 'the workspace',
  'catalog.event-types': 'the event type',
  'delivery.events': 'the workspace',
  'access.used': '`api-keys`, always',
  'audit.entries': 'the workspace',
}

const meanings: Record<Topic, string> = {
  'auth.events': 'What auth announces and every service judges callers by: people, members, apps, grants, keys.',
  'workspace.events': 'The public events of workspaces, which webhooks carry; the payload is the body of the call.',
  'catalog.event-types':
    'The event types as the catalog describes them. Compacted: the last record of each type stays.',
  'delivery.events': 'Reserved for what delivery announces; no record is written yet.',
  'access.used': 'When API keys were used, told to auth by the services that are called.',
  'audit.entries': 'What other services tell the audit log, which is kept by auth.',
}

const text = { type: 'string' }
const headers = {
  type: 'object',
  properties: {
    event_id: { ...text, description: 'Unique in the whole log; the same when a record is written again.' },
    event_type: text,
    schema_version: { ...text, description: 'A whole number as text.' },
    workspace_id: { ...text, description: 'Empty where an event has none.' },
    actor: { ...text, description: 'Who did it, `kind:id`.' },
    correlation: { ...text, description: 'Id of the request or run that it goes back to.' },
    causation: { ...text, description: 'Id of the event that caused it.' },
    traceparent: { ...text, description: 'W3C Trace Context of its making.' },
    tracestate: text,
  },
  required: ['event_id', 'event_type', 'schema_version', 'workspace_id', 'actor', 'correlation', 'traceparent'],
}

/** The document as text. `openApi`: the public one, whose schema of a catalog entry it takes. */
export function eventLogDocument(root: URL, openApi: Schema): string {
  const contracts = (name: string) => schemasOf(fileURLToPath(new URL(`packages/contracts/src/${name}.ts`, root)))
  const auth = contracts('auth-events').get('AuthEvents')
  const messages: Record<Topic, Message[]> = {
    'auth.events': Object.entries<Schema>(auth?.properties ?? {}).map(([type, data]) => internal(type, data)),
    'workspace.events': eventTypes.map(({ type, meaning }) => {
      const { $schema: _, ...payload } = publishedSchemaOf(type)
      return { name: type, title: type, summary: meaning, payload, example: exampleOf(type) }
    }),
    'catalog.event-types': [
      internal('EventTypeAnnounced', { type: 'object', description: 'As `GET /v1/event-types/{type}` answers it.' }),
    ],
    'delivery.events': [],
    'access.used': [...contracts('access-events')].map(([type, data]) => internal(type, data)),
    'audit.entries': [...contracts('audit-events')].map(([type, data]) => internal(type, data)),
  }
  const channels = topicDefinitions.map((topic) => [idOf(topic.name), channelOf(topic, messages[topic.name])] as const)
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Workspace Data Service: event log',
      version: (openApi.info as Schema).version,
      description:
        'The log between the services (Kafka, or Postgres on one machine). Subscribers of webhooks do not read it: they receive what `workspace.events` carries as calls. At least once, in order by key; a record that comes twice has the same `event_id`.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(
      topicDefinitions
        .filter(({ name }) => messages[name].length > 0)
        .map(({ name }) => [
          `read${capital(idOf(name))}`,
          { action: 'receive', channel: { $ref: `#/channels/${idOf(name)}` } },
        ]),
    ),
    components: {
      messages: Object.fromEntries(
        Object.values(messages)
          .flat()
          .map((message) => [message.name, messageOf(message)]),
      ),
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** An event that only services read: the envelope of the public ones. */
function internal(type: string, data: Schema): Message {
  const properties = { id: text, type: { const: type }, created: { ...text, format: 'date-time' }, data }
  const payload = { type: 'object', properties, required: ['id', 'type', 'created', 'data'] }
  const { description } = data
  const message = { name: type, title: type, payload }
  return typeof description === 'string' ? { ...message, summary: description } : message
}

function channelOf({ name, compacted }: TopicDefinition, messages: readonly Message[]): Schema {
  const kept = compacted ? ' The log promises the last record of each key at least.' : ''
  return {
    address: name,
    description: `${meanings[name]}${kept} Key of a record: ${keys[name]}.`,
    messages: Object.fromEntries(messages.map((one) => [one.name, { $ref: `#/components/messages/${one.name}` }])),
  }
}

function messageOf({ name, title, summary, payload, example }: Message): Schema {
  const message: Schema = { name, title, headers, payload }
  if (summary !== undefined) message.summary = summary
  if (example !== undefined) message.examples = [{ name: 'example', payload: example }]
  return message
}

/** `workspace.events` → `workspaceEvents`. */
const idOf = (name: Topic) => (Object.entries(topics).find(([, value]) => value === name) ?? [name])[0]
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
