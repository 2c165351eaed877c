// Reads a number from the source that holds to it, so that no page types it.
import { readFileSync } from 'node:fs'

/** A constant and the file that has it, from the root of the repository. */
export type Place = readonly [file: string, constant: string]

/** A number, or a product of numbers. Throws where the file has no such constant. */
export function constantOf(root: URL, [file, name]: Place): number {
  const source = readFileSync(new URL(file, root), 'utf8')
  const found = new RegExp(`^(?:export )?const ${name} = ([\\d_]+(?: \\* [\\d_]+)*)$`, 'm').exec(source)?.[1]
  if (found === undefined) throw new Error(`${file} has no number ${name}`)
  return productOf(found)
}

/** The first group of the pattern: a number, or a product of numbers. Throws where the file has none. */
export function numberIn(root: URL, [file, pattern]: readonly [file: string, pattern: RegExp]): number {
  const found = pattern.exec(readFileSync(new URL(file, root), 'utf8'))?.[1]
  if (found === undefined) throw new Error(`${file} has no ${pattern}`)
  return productOf(found)
}

const productOf = (text: string) =>
  text.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
