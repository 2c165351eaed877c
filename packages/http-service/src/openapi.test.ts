// What an OpenAPI file must say so that clients made from it ask as the kit understands, and are prepared for its refusals.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from '@jest/globals'
import { readOpenApi } from './openapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
afterAll(() => rmSync(folder, { recursive: true }))

function read(operation: object) {
  const file = join(folder, 'openapi.yaml')
  writeFileSync(file, JSON.stringify({ paths: { '/v1/x': { get: { 'x-scope': null, ...operation } } } }))
  return readOpenApi(pathToFileURL(file))
}

const responses = { default: { description: 'A problem.' } }
const list = { name: 'status', in: 'query', schema: { type: 'array', items: { type: 'string' } } }

test('C06: regression: a list that says nothing of explode would be sent as a name given twice, so it is refused', () => {
  expect(() => read({ responses, parameters: [list] })).toThrow('The list status of GET /v1/x must say explode: false.')
  expect(read({ responses, parameters: [{ ...list, explode: false }] }).operations).toHaveLength(1)
})

test('C81: regression: an operation that does not document its problems is refused', () => {
  const ok = { '200': { description: 'Done.' } }
  expect(() => read({ responses: ok })).toThrow('GET /v1/x has no default response, a problem.')
})
