// Every object that an overlay gives is one of its kind's schema, in which no field is unknown (K91).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { schemaFileOf, schemaFindings } from './kubeconform.ts'
import { plant } from './plant.ts'
import { build, type Manifest, nameOf, overlays, root, yamlOf } from './render.ts'

const rendered = new Map<string, Awaited<ReturnType<typeof build>>>()
beforeAll(async () => {
  for (const overlay of overlays) rendered.set(overlay, await build(join(root, 'overlays', overlay)))
})
const objectsOf = (overlay: string) => structuredClone(rendered.get(overlay)?.objects ?? [])

describe('K91', () => {
  test.each(overlays)('every object of %s has the fields of its kind and no others', (overlay) => {
    expect(schemaFindings(rendered.get(overlay)?.text ?? '')).toEqual([])
  })

  const container = 'spec.template.spec.containers.0'
  const planted: [what: string, object: string, path: string, value: unknown, found: string][] = [
    ['a misspelt probe', 'Deployment/api-http', `${container}.livenessProb`, {}, "'livenessProb' not allowed"],
    ['a misspelt maximum', 'ScaledObject/api-worker', 'spec.maxReplicaCountt', 3, "'maxReplicaCountt' not allowed"],
    ['a number in words', 'Service/api-http', 'spec.ports.0.port', 'eighty', 'want integer'],
    ['a field of an older API', 'Kafka/kafka', 'spec.kafka.replicas', 3, "'replicas' not allowed"],
    ['a field that nobody filled', 'Deployment/catalog', `${container}.image`, null, 'got null, want string'],
    ['an object without its spec', 'HTTPRoute/api', 'spec', undefined, "missing property 'spec'"],
    ['a label outside of metadata', 'Namespace/workspace-data', 'labels', {}, "'labels' not allowed"],
    ['a version that is not served', 'Kafka/kafka', 'apiVersion', 'kafka.strimzi.io/v1beta2', 'could not find schema'],
  ]
  test.each(planted)('%s is found', (_what, name, path, value, found) => {
    const objects = objectsOf('production')
    plant(objects, name, path, value)
    const findings = schemaFindings(yamlOf(objects))
    expect(findings).toEqual([expect.stringMatching(new RegExp(`^${name}: .*${found}`))])
  })

  test('a field that is given twice is found', () => {
    const twice = rendered.get('production')?.text.replace(/^( +)minReplicaCount: 2$/m, '$&\n$1minReplicaCount: 3')
    expect(schemaFindings(twice ?? '')).toEqual([expect.stringContaining('already set in map')])
  })

  const files = readdirSync(join(root, 'schemas')).filter((name) => name.endsWith('.json'))

  test('there is a schema for what is rendered, and for nothing else', () => {
    const kinds = new Set(overlays.flatMap(objectsOf).map(schemaFileOf))
    expect(files).toEqual([...kinds].sort())
  })

  test.each(files)('%s is closed wherever it names properties', (file) => {
    const open: string[] = []
    const look = (schema: Manifest, path: string): void => {
      if (schema.properties !== undefined && schema.additionalProperties === undefined) open.push(path)
      for (const [name, inner] of Object.entries(schema)) {
        const isBranch = ['anyOf', 'oneOf', 'allOf', 'not'].includes(name)
        if (typeof inner === 'object' && !isBranch) look(inner, `${path}/${name}`)
      }
    }
    look(JSON.parse(readFileSync(join(root, 'schemas', file), 'utf8')), '')
    expect(open).toEqual([])
  })

  test('every planted fault is in an object that is there', () => {
    const names = objectsOf('production').map(nameOf)
    for (const [, name] of planted) expect(names).toContain(name)
  })
})
