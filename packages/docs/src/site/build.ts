// Builds the site unless it is there already for these very sources, and prints its folder: `files.json` and `files/`. `--where` prints the
// folder and builds nothing.
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { type Build, folderOf, printBuilt } from '@wds/build-once/build-once'
import { downloads } from './downloads.ts'
import { groups } from './sections.ts'

const repository = join(import.meta.dirname, '../../../..')

const site: Build = {
  repository,
  sources: [
    ...groups.flatMap(({ files }) => files),
    ...downloads.keys(),
    'packages/docs/src/site/**/*',
    'packages/docs/src/generate/postman.ts',
    'packages/contracts/src/**/*.ts',
    'services/api/openapi.generated.json',
    'packages/event-log/asyncapi.generated.json',
    'package.json',
    'pnpm-lock.yaml',
  ],
  dist: join(import.meta.dirname, '../../dist'),
  keptMax: 3,
  make,
}

async function make(work: string): Promise<string> {
  const toStandardOutput = process.stdout.write
  try {
    // Nobody waits for it as for what runs beside it: a start, the tests.
    setPriority(10)
    // The generator writes its warnings to standard output, where nothing but the folder is to stand.
    process.stdout.write = process.stderr.write.bind(process.stderr)
    const { makeSite } = await import('./make-site.ts')
    return await makeSite(repository, work)
  } finally {
    process.stdout.write = toStandardOutput
  }
}

if (process.argv.includes('--where')) console.log(folderOf(site))
else await printBuilt(site)
