// Proves that the checked-in event-data.ts is what the declarations say, and that a wrong notation stops the import.
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { parseField } from '../events/field.ts'
import { eventDataSource } from './event-data-source.ts'

describe('event-data.ts', () => {
  test('is up to date: `npm run generate` would not change it', async () => {
    const present = await readFile(new URL('../event-data.ts', import.meta.url), 'utf8')
    expect(present).toBe(await eventDataSource())
  })
})

describe('parseField', () => {
  test('takes a notation apart', () => {
    expect(parseField('[id int]')).toEqual({ kind: 'id', idPrefix: 'int', codes: [], list: true, nullable: false })
    expect(parseField('str user|rule')).toMatchObject({ kind: 'str', codes: ['user', 'rule'], nullable: false })
    expect(parseField('date?')).toMatchObject({ kind: 'date', list: false, nullable: true })
  })

  test.each(['', 'text', 'id', '[str', 'str a b', 'date ?', 'date a', 'str?|a', 'closed'])(
    "refuses '%s'",
    (notation) => {
      expect(() => parseField(notation)).toThrow(TypeError)
    },
  )
})
