// What the API's published document promises of every answer. That answers are as it says, the recorded answers of the suites hold (C81).
import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'

type Json = Record<string, unknown>

const document = JSON.parse(readFileSync(new URL('../../openapi.generated.json', import.meta.url), 'utf8')) as Json
const methods = ['get', 'post', 'put', 'patch', 'delete']

const typesOf = (schema: Json): unknown[] => [schema.type].flat()

function resolved(ref: string): Json {
  const names = ref.slice(2).split('/')
  return names.reduce((at, name) => at[name] as Json, document)
}

/** Places at which a boolean or an array may be null, in a schema and all that it refers to. */
function nullable(node: unknown, at: string, seen: Set<string>): string[] {
  if (Array.isArray(node)) return node.flatMap((one, nth) => nullable(one, `${at}/${nth}`, seen))
  if (node === null || typeof node !== 'object') return []
  const schema = node as Json
  if (typeof schema.$ref === 'string') {
    if (seen.has(schema.$ref)) return []
    seen.add(schema.$ref)
    return nullable(resolved(schema.$ref), schema.$ref, seen)
  }
  const choices = [schema.oneOf, schema.anyOf].flat().filter((one) => one !== undefined) as Json[]
  const types = [...typesOf(schema), ...choices.flatMap(typesOf)]
  const isBreach = types.includes('null') && (types.includes('boolean') || types.includes('array'))
  return [
    ...(isBreach ? [at] : []),
    ...Object.entries(schema).flatMap(([key, value]) => nullable(value, `${at}/${key}`, seen)),
  ]
}

const answers = Object.entries(document.paths as Record<string, Json>).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const responses = (item[method] as { responses?: Json } | undefined)?.responses
    return responses === undefined ? [] : [{ name: `${method} ${path}`, responses }]
  }),
)

test('C04: no boolean and no array of an answer may be null', () => {
  expect(answers.length).toBeGreaterThan(80)
  const seen = new Set<string>()
  expect(answers.flatMap(({ name, responses }) => nullable(responses, name, seen))).toEqual([])
  expect(seen.size).toBeGreaterThan(30)
})

test.each([
  { type: ['boolean', 'null'] },
  { type: 'object', properties: { x: { type: ['array', 'null'], items: {} } } },
  { oneOf: [{ type: 'array', items: {} }, { type: 'null' }] },
  { allOf: [{ $ref: '#/components/schemas/WorkspaceSettingsPatch' }] },
])('C04: such a schema is found: %j', (schema) => {
  expect(nullable(schema, 'here', new Set())).not.toEqual([])
})

/** What is told as it was given: a query has the members that were asked for. */
const asGiven = /ExportQuery$|^StatsFilter$|^filter$/
/** Members that are there in some answers alone, and why. */
const optional = {
  'Brand/legal': 'for invoices:read',
  'WorkspaceSettings/issuer': 'for invoices:read',
  'Integration/postback_url': 'once',
  'SubAffiliate/invitation_url': 'once',
  'Webhook/secret': 'once',
  'RuleTrigger/every_minutes': 'of a schedule',
  'RuleTrigger/event_type': 'of an event',
  'RuleTrigger/metric': 'of an anomaly',
  'RuleAction/severity': 'of create_anomaly',
  'data/compare': 'with compare',
  'Problem/errors': 'where something is to be named',
  'errors/pointer': 'of a body',
  'errors/parameter': 'of a query or header',
  'QuotaExceeded/violated-policies': 'of quotas',
}

/** Members that may be left out, behind the name of their schema or of the member that holds them. */
function optionalMembers(node: unknown, name: string, seen: Set<string>): string[] {
  if (Array.isArray(node)) return node.flatMap((one) => optionalMembers(one, name, seen))
  if (node === null || typeof node !== 'object') return []
  const { $ref, properties, ...rest } = node as Json & { $ref?: string; properties?: Json; required?: string[] }
  if ($ref !== undefined) {
    if (seen.has($ref)) return []
    seen.add($ref)
    return optionalMembers(resolved($ref), $ref.split('/').at(-1) ?? '', seen)
  }
  const members = Object.entries(properties ?? {})
  const own = asGiven.test(name) ? [] : members.filter(([member]) => !rest.required?.includes(member))
  return [
    ...own.map(([member]) => `${name}/${member}`),
    ...members.flatMap(([member, schema]) => optionalMembers(schema, member, seen)),
    ...Object.values(rest).flatMap((value) => optionalMembers(value, name, seen)),
  ]
}

test('C04: regression: every member of an answer is always there, but for those that say when', () => {
  const seen = new Set<string>()
  const found = answers.flatMap(({ name, responses }) => optionalMembers(responses, name, seen))
  expect([...new Set(found)].sort()).toEqual(Object.keys(optional).sort())
})

test('regression: an answer of stats tells of each member of `meta` what it means', () => {
  const { properties } = resolved('#/components/schemas/StatsMeta') as { properties: Record<string, Json> }
  expect(Object.keys(properties)).toContain('generated')
  const silent = Object.entries(properties).filter(([, schema]) => typeof schema.description !== 'string')
  expect(silent.map(([member]) => member)).toEqual([])
})
