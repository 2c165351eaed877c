// What is kept of opened secrets, and when they are opened again.
import { expect, test } from '@jest/globals'
import { createSecretCache } from './secret-cache.ts'

const at = (workspaceId: string, subscriptionId: string, versions: number[]) => ({
  workspaceId,
  subscriptionId,
  secrets: versions.map((version) => ({ id: `of ${subscriptionId}`, ciphertext: `closed ${version}`, version })),
})

function cache(max?: number) {
  const opened: string[] = []
  const open = createSecretCache(
    {
      open({ workspaceId, subscriptionId, secret }) {
        if (secret.ciphertext === 'closed 0') throw new Error('no key')
        opened.push(`${workspaceId} ${subscriptionId} ${secret.version}`)
        return `${workspaceId} ${secret.version}`
      },
    },
    max,
  )
  return { open, opened }
}

test('opens a secret once, another version of it anew, and nothing for another workspace', () => {
  const { open, opened } = cache()
  for (let n = 0; n < 3; n += 1) expect(open(at('a', 'one', [2, 1]))).toEqual(['a 2', 'a 1'])
  expect(opened).toEqual(['a one 2', 'a one 1'])
  expect(open(at('a', 'one', [3, 2]))).toEqual(['a 3', 'a 2'])
  expect(open(at('a', 'one', [3]))).toEqual(['a 3'])
  expect(opened).toEqual(['a one 2', 'a one 1', 'a one 3'])
  expect(open(at('b', 'one', [3]))).toEqual(['b 3'])
})

test('one that cannot be opened is asked for again, and what was open before does not stand for it', () => {
  const { open } = cache()
  expect(open(at('a', 'one', [1]))).toEqual(['a 1'])
  for (let n = 0; n < 2; n += 1) expect(() => open(at('a', 'one', [0, 1]))).toThrow('no key')
})

test('forgets the subscription that was used longest ago', () => {
  const { open, opened } = cache(2)
  for (const id of ['one', 'two', 'one', 'three', 'one', 'two']) open(at('a', id, [1]))
  expect(opened).toEqual(['a one 1', 'a two 1', 'a three 1', 'a two 1'])
})
