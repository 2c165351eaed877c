/**
 * Loaded before one process, and part of no image: a defect planted in it, by which a CSV file that holds the word `forever` is never read to its
 * end. Nothing from outside makes a loop stuck: what waits for Postgres or the broker is not.
 */
import { registerHooks } from 'node:module'

const reader = new URL('../../services/api/src/sources/csv-source.ts', import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    if (url !== reader) return nextLoad(url, context)
    const source = [
      `import { csvRecords as whole } from '${reader}?whole'`,
      `export * from '${reader}?whole'`,
      'async function* hanging(bytes) {',
      "  for await (const some of bytes) yield Buffer.from(some).includes('forever') ? await new Promise(() => undefined) : some",
      '}',
      'export const csvRecords = (o) => whole({ ...o, bytes: hanging(o.bytes) })',
    ].join('\n')
    return { format: 'module', shortCircuit: true, source }
  },
})
