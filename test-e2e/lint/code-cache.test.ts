import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'
import { expect, test } from '@jest/globals'

test('regression: modules are compiled in a worker in which a test has set a flag of V8, which takes no code from before then', () => {
  const made = () => new vm.SourceTextModule('export const made = 1', { identifier: 'made' }).status
  const called = () => vm.compileFunction('return made', ['made'])(1)
  expect([made(), called(), made(), called()]).toEqual(['unlinked', 1, 'unlinked', 1])
  for (const flag of ['--no-expose-gc', '--expose-gc']) {
    setFlagsFromString(flag)
    expect([made(), called(), made(), called()]).toEqual(['unlinked', 1, 'unlinked', 1])
  }
})
