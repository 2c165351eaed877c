import { expect, test } from '@jest/globals'
import { withoutUndefined } from './without-undefined.ts'

interface Options {
  name: string
  from?: string
  note?: string | null
}

test('a member that is undefined is absent, for `in` and keys too; null, false and empty text stay', () => {
  const made = withoutUndefined<Options>({ name: '', from: undefined, note: null })
  expect(Object.keys(made)).toEqual(['name', 'note'])
  expect('from' in made).toBe(false)
  expect(withoutUndefined<{ isOn?: boolean }>({ isOn: false })).toStrictEqual({ isOn: false })
})

test('the compiler refuses a misspelt member, a missing one, an undefined one that is required, and a result of no type', () => {
  const from: string | undefined = process.env.WDS_NEVER_SET
  const toOptions: Options = withoutUndefined({ name: 'a', from })
  expect(toOptions).toStrictEqual({ name: 'a' })
  // @ts-expect-error misspelt
  withoutUndefined<Options>({ name: 'a', form: from })
  // @ts-expect-error misspelt, where the type comes from the place
  const misspelt: Options = withoutUndefined({ name: 'a', form: from })
  // @ts-expect-error missing
  withoutUndefined<Options>({ from })
  // @ts-expect-error required
  withoutUndefined<Options>({ name: from })
  // @ts-expect-error nothing says which members there are
  withoutUndefined({ name: 'a', from })
  expect(misspelt).toStrictEqual({ name: 'a' })
})
