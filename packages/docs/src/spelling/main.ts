// Checks the spelling of every page of the site by a British dictionary and `spelling/words.txt`, and exits 1 with each fault. Decisions are left
// out: they are not edited once they are accepted, and generated references are, as their sources are read by people.
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import dictionary from 'dictionary-en-gb'
import nspell from 'nspell'
import { groups } from '../site/sections.ts'
import { faultsOfPage, readWordList } from './check-words.ts'

const root = join(import.meta.dirname, '../../../..')
const list = readWordList(readFileSync(join(import.meta.dirname, '../../spelling/words.txt'), 'utf8'))
const speller = nspell(dictionary)

/** Pages share most of their words. */
const known = new Map<string, boolean>()
function isWord(text: string): boolean {
  const before = known.get(text)
  if (before !== undefined) return before
  const verdict = speller.correct(text)
  known.set(text, verdict)
  return verdict
}

const patterns = [...groups.flatMap(({ files }) => files), 'README.md', 'packages/*/README.md']
const pages = [...new Set(globSync(patterns, { cwd: root }).map((path) => path.split(sep).join('/')))]
const read = pages.filter((path) => !path.startsWith('packages/docs/decisions/')).sort()
const faults = read.flatMap((path) =>
  faultsOfPage(readFileSync(join(root, path), 'utf8'), list, isWord).map((fault) => `${path}:${fault}`),
)
for (const fault of faults) console.error(fault)
console.log(`${read.length} pages, ${known.size} words, ${faults.length} faults`)
if (faults.length > 0) {
  console.error('A word that is right belongs into packages/docs/spelling/words.txt, code into backticks.')
  process.exitCode = 1
}
