// A process that builds: says `building` once it has begun, goes on when its standard input ends, then prints the folder.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildOnce } from './build-once.ts'

const [repository = '', signMs = '5000'] = process.argv.slice(2)
const folder = await buildOnce({
  repository,
  sources: ['src/**'],
  dist: join(repository, 'dist'),
  keptMax: 3,
  abandonedMs: 12 * Number(signMs),
  async make(work) {
    writeFileSync(join(work, 'half'), 'of one that is killed')
    process.stdout.write('building\n')
    for await (const _ of process.stdin);
    writeFileSync(join(work, 'whole'), String(process.pid))
    return work
  },
})
process.stdout.write(`${folder}\n`)
