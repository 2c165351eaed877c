// Builds the files that browsers get, unless they are there already for these very sources, and prints the folder with `index.html` and
// `assets/`.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printBuilt } from '@wds/build-once/build-once'

const root = join(import.meta.dirname, '..')

/** What at least so many of the 50 pages and parts import is loaded with the first page, whichever that is. */
const sharedPagesMin = 20

async function bundle(outDir: string): Promise<string> {
  // Whoever starts the build, a test runner too: the bundle is that of production.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const colorScheme = readFileSync(join(root, 'src/color-scheme.js'))
  const name = `assets/color-scheme-${createHash('sha256').update(colorScheme).digest('hex').slice(0, 8)}.js`
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      // The library marks its files for servers that render, which means nothing here.
      rolldownOptions: {
        onLog: (level, log, tell) => (log.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : tell(level, log)),
        // What many pages share is one file: in small ones it is 9 KiB larger once compressed, and a page asks for three times as many.
        output: { codeSplitting: { groups: [{ name: 'common', minShareCount: sharedPagesMin }] } },
      },
      outDir,
      emptyOutDir: true,
      sourcemap: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      reportCompressedSize: false,
      manifest: 'manifest.json',
    },
    plugins: [
      {
        name: 'color-scheme',
        transformIndexHtml: (html) => html.replace('<!-- color-scheme -->', `<script src="/${name}"></script>`),
      },
    ],
  })
  writeFileSync(join(outDir, name), colorScheme)
  return outDir
}

await printBuilt({
  repository: join(root, '../..'),
  sources: [
    'services/console/index.html',
    'services/console/src/**/*',
    'packages/{api-client,contracts}/src/**/*.ts',
    'packages/docs/snippets/verify-signature/verify.*',
    'pnpm-lock.yaml',
  ],
  dist: join(root, 'dist'),
  keptMax: 4,
  make: bundle,
})
