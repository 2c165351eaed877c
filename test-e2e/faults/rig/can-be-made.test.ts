import { expect, test } from '@jest/globals'
import { canBeMade } from './can-be-made.ts'

test('of a fault that this machine cannot make it is said why it is skipped', () => {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const fault = { row: 'F24', needs: 'a small disk' }
  expect([canBeMade(true, fault, say), said]).toEqual([true, []])
  expect([canBeMade(false, fault, say), said]).toEqual([false, ['F24 is skipped: it needs a small disk']])
})
