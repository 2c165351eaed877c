import { argon2Sync } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { createPasswordHasher, defaultParameters } from './password-hash.ts'

const cheap = { memoryKib: 64, passes: 1, lanes: 1 }
const hasher = createPasswordHasher({ parameters: cheap })
const password = ' verbatim Pässwörd \u0000 '

test('a password is argon2id with 64 MiB, 3 passes and 1 lane, a salt of 16 and a tag of 32 bytes, in the PHC format', async () => {
  expect(defaultParameters).toEqual({ memoryKib: 64 * 1024, passes: 3, lanes: 1 })
  const text = await createPasswordHasher().hash(password)
  const [, salt = '', tag = ''] = /^\$argon2id\$v=19\$m=65536,t=3,p=1\$([\w+/]{22})\$([\w+/]{43})$/.exec(text) ?? []
  const nonce = Buffer.from(salt, 'base64')
  const parameters = { message: password, nonce, memory: 65_536, passes: 3, parallelism: 1, tagLength: 32 }
  expect(nonce).toHaveLength(16)
  expect(argon2Sync('argon2id', parameters).toString('base64')).toBe(`${tag}=`)
})

test('it is taken verbatim, and every hash has a salt of its own', async () => {
  const stored = await hasher.hash(password)
  expect(await hasher.hash(password)).not.toBe(stored)
  expect(await hasher.verify(password, stored)).toBe(true)
  for (const other of [password.trim(), password.toLowerCase(), `${password}x`, '']) {
    expect(await hasher.verify(other, stored)).toBe(false)
  }
})

test('a hash of other parameters is verified with its own, and is outdated', async () => {
  const stored = await hasher.hash(password)
  const raised = createPasswordHasher({ parameters: { ...cheap, passes: 2 } })
  expect(await raised.verify(password, stored)).toBe(true)
  expect([hasher.isOutdated(stored), raised.isOutdated(stored)]).toEqual([false, true])
})

test('of nobody nothing is the password, at the cost of a computation', async () => {
  let waiting = 0
  const slow = createPasswordHasher({ parameters: cheap, concurrent: 1, waitingMax: 1 })
  const judged = [slow.verify(password, null), slow.verify('', null)]
  waiting += 1
  await expect(slow.verify(password, null)).rejects.toMatchObject({ code: 'unavailable', status: 503 })
  expect(await Promise.all(judged)).toEqual([false, false])
  expect(waiting).toBe(1)
})

test('at most so many are computed at once; a full queue is 503, and a place is free again afterwards', async () => {
  const bounded = createPasswordHasher({ parameters: cheap, concurrent: 2, waitingMax: 3 })
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => bounded.hash(password)))
  const refused = all.filter((one) => one.status === 'rejected')
  expect(refused).toHaveLength(15)
  expect(refused.map(({ reason }) => reason.headers)).toContainEqual({ 'retry-after': '2' })
  await expect(bounded.hash(password)).resolves.toContain('$argon2id$')
})
