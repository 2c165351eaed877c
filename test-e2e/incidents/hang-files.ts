/**
 * Loaded before one process, and part of no image: a defect planted in it, by which a CSV file that was uploaded is never read to its end. Nothing
 * from outside makes a loop stuck: what waits for Postgres or the broker is not.
 */
import { registerHooks } from 'node:module'

const reader = new URL('../../services/api/src/sources/csv-source.ts', import.meta.url).href

registerHooks({
  load(url, context, nextLoad) {
    if (url !== reader) return nextLoad(url, context)
    const source = [
      `export * from '${reader}?whole'`,
      'export async function* csvRecords() { await new Promise(() => undefined) }',
    ].join('\n')
    return { format: 'module', shortCircuit: true, source }
  },
})
