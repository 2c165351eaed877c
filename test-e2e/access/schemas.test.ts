// A validator compiles itself when it is first asked: that each of every service can, is found here and not by a caller.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { readOpenApi } from '@wds/http-service/openapi'
import { createSchemas } from '@wds/http-service/schemas'
import { serviceNames } from '@wds/provision/provision'
import { root } from '../harness/standalone.ts'

/** Of parameters and bodies; a service may have neither. */
const documents = serviceNames.map((service) => {
  const { document, operations } = readOpenApi(pathToFileURL(`${join(root, 'services', service, 'src')}/`))
  const schemas = operations.flatMap(({ query, pathParameters, body }) => [
    ...[...query, ...pathParameters].map(({ schema }) => schema),
    ...Object.values(body?.content ?? {}),
  ])
  return { service, document, schemas }
})

test.each(documents)('every schema of what $service is sent compiles', ({ document, schemas }) => {
  const { compile } = createSchemas(document)
  for (const schema of schemas) expect(compile(schema)(undefined)).toBeInstanceOf(Array)
})

test('many are looked at', () => {
  expect(documents.flatMap(({ schemas }) => schemas).length).toBeGreaterThan(100)
})

test('a schema that refers to what is not there is found', () => {
  const broken = createSchemas({}).compile({ $ref: '#/components/schemas/Missing' })
  expect(() => broken(null)).toThrow(/can't resolve reference/)
})
