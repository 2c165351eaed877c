// Runs Starlight (decision 110). The only file that knows it, besides `theme/`.
import { join } from 'node:path'
import type { sidebarOf } from './navigation.ts'

interface Site {
  /** Folder with `src/content/docs`. */
  root: string
  outDir: string
  /** Path on the server, with a slash at both ends. */
  base: string
  sidebar: ReturnType<typeof sidebarOf>
}

export async function generate({ root, outDir, base, sidebar }: Site): Promise<void> {
  // Whoever starts the build, a test runner too: the pages are those of production. Nobody is told that they were built.
  process.env.NODE_ENV = 'production'
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  const { build, passthroughImageService } = await import('astro').then(async (astro) => ({
    build: astro.build,
    passthroughImageService: (await import('astro/config')).passthroughImageService,
  }))
  const { default: starlight } = await import('@astrojs/starlight')
  const cacheDir = join(root, 'cache')
  await build({
    root,
    outDir,
    base,
    cacheDir,
    configFile: false,
    logLevel: 'warn',
    trailingSlash: 'always',
    image: { service: passthroughImageService() },
    build: { format: 'directory', inlineStylesheets: 'never' },
    devToolbar: { enabled: false },
    vite: { cacheDir: join(cacheDir, 'vite'), logLevel: 'warn', build: { assetsInlineLimit: 0 } },
    integrations: [
      starlight({
        title: 'Workspace Data Service',
        favicon: '/icon.svg',
        customCss: ['./src/site.css'],
        components: { Footer: './src/footer.astro', PageTitle: './src/page-title.astro' },
        sidebar,
        // Titles count as what they are in the page, where those of designs and decisions weigh less.
        pagefind: { ranking: { metaWeights: { title: 0 } } },
        tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
        // There is no address of the repository that every reader could open.
        editLink: {},
        lastUpdated: false,
      }),
    ],
  })
}
