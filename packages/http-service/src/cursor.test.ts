import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createCursors, page, pageOfWalk } from './cursor.ts'
import { Problem } from './problem.ts'

const [newKey, oldKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const binding = { workspaceId: 'wsp_1', route: 'GET /v1/x', filters: { status: ['a', 'b'], order: 'created' } }
const position = ['2026-03-01T09:30:00.000Z', 'int_1']

describe('cursors', () => {
  const cursors = createCursors([newKey, oldKey])
  const text = cursors.encode({ ...binding, position })

  test('C51: a cursor gives its position back, also after the key was rotated', () => {
    expect(cursors.decode(text, binding)).toEqual(position)
    expect(cursors.decode(text, { ...binding, filters: { order: 'created', status: ['a', 'b'] } })).toEqual(position)
    expect(cursors.decode(createCursors([oldKey]).encode({ ...binding, position }), binding)).toEqual(position)
  })

  test('C51: altered by any one character it is invalid_cursor', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .'
    const accepted: string[] = []
    const attempt = (other: string) => {
      try {
        cursors.decode(other, binding)
        accepted.push(other)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
      }
    }
    for (let at = 0; at < text.length; at++) {
      for (const other of alphabet) if (other !== text[at]) attempt(text.slice(0, at) + other + text.slice(at + 1))
      attempt(text.slice(0, at))
    }
    expect(accepted).toEqual([])
    for (const more of ['A', '=', ' ', '\n'])
      expect(() => cursors.decode(text + more, binding)).toThrow('invalid_cursor')
  })

  test.each([
    ['workspace', { workspaceId: 'wsp_2' }],
    ['route', { route: 'GET /v1/y' }],
    ['filters', { filters: { status: ['a'], order: 'created' } }],
    ['order', { filters: { status: ['a', 'b'], order: 'name' } }],
  ])('C51: with another %s it is invalid_cursor', (_name, other) => {
    expect(() => cursors.decode(text, { ...binding, ...other })).toThrow('invalid_cursor')
  })

  test('C51: any text is refused without another error', () => {
    fc.assert(
      fc.property(fc.string(), (other) => expect(() => cursors.decode(other, binding)).toThrow('invalid_cursor')),
    )
  })
})

describe('pages', () => {
  test('C54: has_more is exact and the last page has no cursor', () => {
    const toCursor = (last: number) => `after ${last}`
    expect(page([1, 2, 3], 2, toCursor)).toEqual({
      object: 'list',
      data: [1, 2],
      has_more: true,
      next_cursor: 'after 2',
    })
    expect(page([1, 2], 2, toCursor)).toEqual({ object: 'list', data: [1, 2], has_more: false, next_cursor: null })
    expect(page([], 2, toCursor)).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null })
  })

  test('a list that was not read to its end goes on behind what was read, also from an empty page', () => {
    const toCursor = (last: number) => `after ${last}`
    expect(pageOfWalk({ rows: [1, 2, 3], walkedTo: null }, 2, toCursor)).toEqual(page([1, 2, 3], 2, toCursor))
    expect(pageOfWalk({ rows: [1], walkedTo: null }, 2, toCursor)).toEqual(page([1], 2, toCursor))
    const short = { object: 'list', has_more: true, next_cursor: 'after 9' }
    expect(pageOfWalk({ rows: [1, 2], walkedTo: 9 }, 2, toCursor)).toEqual({ ...short, data: [1, 2] })
    expect(pageOfWalk({ rows: [], walkedTo: 9 }, 2, toCursor)).toEqual({ ...short, data: [] })
  })
})
