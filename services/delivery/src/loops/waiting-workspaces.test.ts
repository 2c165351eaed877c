// What a process knows of the fan-out queue: which workspaces' events may wait in it.
import { expect, test } from '@jest/globals'
import { WaitingWorkspaces } from './waiting-workspaces.ts'

test('anybody may wait before the queue was seen whole', () => {
  const waiting = new WaitingWorkspaces()
  expect(waiting.mayWait(['a'])).toBe(true)
  waiting.look().allIsDone()
  expect(waiting.mayWait(['a'])).toBe(false)
})

test('what a look saw waits until all of it is done', () => {
  const waiting = new WaitingWorkspaces()
  waiting.look().allIsDone()
  const look = waiting.look()
  look.saw(['a'])
  expect(waiting.mayWait(['b', 'a'])).toBe(true)
  expect(waiting.mayWait(['b'])).toBe(false)
  look.allIsDone()
  expect(waiting.mayWait(['a'])).toBe(false)
})

test('what is left of a look waits on, by itself', () => {
  const waiting = new WaitingWorkspaces()
  const look = waiting.look()
  look.saw(['a', 'b'])
  look.allIsDone(new Set(['a']))
  expect(waiting.mayWait(['a'])).toBe(true)
  expect(waiting.mayWait(['b', 'c'])).toBe(false)
})

test('what was noted since a look began waits on, also when the look saw others of it', () => {
  const waiting = new WaitingWorkspaces()
  waiting.look().allIsDone()
  const look = waiting.look()
  waiting.note(['a', 'b'])
  look.saw(['a'])
  look.allIsDone()
  expect(waiting.mayWait(['a'])).toBe(true)
  expect(waiting.mayWait(['b'])).toBe(true)
  waiting.look().allIsDone()
  expect(waiting.mayWait(['a', 'b'])).toBe(false)
})
