import { expect, test } from '@jest/globals'
import { createUndo } from './undo.ts'

test('a step that fails keeps none behind it from being taken back, and is told', async () => {
  const { undo, stop } = createUndo()
  const done: string[] = []
  undo.push(() => done.push('first'))
  undo.push(async () => {
    throw new Error('second')
  })
  undo.push(() => {
    throw new Error('third')
  })
  undo.push(() => done.push('last'))
  await expect(stop()).rejects.toMatchObject({ errors: [new Error('third'), new Error('second')] })
  expect(done).toEqual(['last', 'first'])
  await stop()
  expect(done).toHaveLength(2)
})

test('a single fault is told as it is', async () => {
  const { undo, stop } = createUndo()
  const fault = new Error('nothing else')
  undo.push(() => Promise.reject(fault))
  await expect(stop()).rejects.toBe(fault)
})
