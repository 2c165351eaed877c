// Makes the site in a folder: writes the pages for the generator, runs it, takes scripts and styles out of its pages, checks every link, and
// packs what a server hands out.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { apiPages } from './api-pages.ts'
import { checkLinks } from './check-links.ts'
import { decisionIndex } from './decision-index.ts'
import { downloads } from './downloads.ts'
import { finishHtml } from './finish-html.ts'
import { generate } from './generator.ts'
import { llmsText } from './llms.ts'
import { sidebarOf } from './navigation.ts'
import { packFiles } from './pack-files.ts'
import { searchPages } from './search-pages.ts'
import { weighted } from './search-weight.ts'
import { readSourcePages, type SitePage } from './source-pages.ts'
import { tryPage } from './try-page.ts'
import { versionOf } from './version.ts'

/** Where the site stands on its server. */
export const base = '/docs/'

/** What others serve on the same origin. */
const elsewhere = /^\/(?!docs(?:\/|$))/

/** Made by the generator or its search for uses that we do not have. */
const unused = /^(?:sitemap.*|pagefind\/pagefind-(?:ui|modular-ui|component-ui|highlight)\..*)$/

/** `work`: a folder that is there and removed by the caller. Resolves with the folder below it that holds the site. */
export async function makeSite(repository: string, work: string): Promise<string> {
  const records = readSourcePages(repository, base)
  const pages = [...records, decisionIndex(records, base)]
  const version = versionOf(repository)
  const source = join(work, 'source')
  writeContent(source, [...pages, ...searchPages(repository)], version)
  const built = join(work, 'built')
  await generate({ root: source, outDir: built, base, sidebar: sidebarOf(pages) })

  const files = new Map<string, Buffer>()
  for (const path of globSync('**/*.*', { cwd: built, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const name = join(path.parentPath, path.name)
      .slice(built.length + 1)
      .split(sep)
      .join('/')
    if (!unused.test(name)) files.set(base + name, finishFile(name, readFileSync(join(path.parentPath, path.name))))
  }
  const html = new Map<string, string>()
  for (const [path, content] of [...files].filter(([name]) => name.endsWith('.html'))) {
    const finished = finishHtml(content.toString('utf8'), `${base}_astro/`)
    html.set(path.replace(/index\.html$/, ''), finished.html)
    files.set(path, Buffer.from(finished.html))
    for (const [made, text] of finished.files) files.set(made, Buffer.from(text))
  }
  for (const [path, content] of apiPages(repository, work, { base, version })) {
    files.set(path, content)
    if (path.endsWith('/index.html')) html.set(path.replace(/index\.html$/, ''), '')
  }
  for (const [path, content] of tryPage(repository, { base, version })) {
    files.set(path, content)
    if (path.endsWith('.html')) html.set(path.replace(/index\.html$/, ''), content.toString('utf8'))
  }
  for (const [path, address] of downloads) files.set(base + address, readFileSync(join(repository, path)))
  files.set(`${base}llms.txt`, Buffer.from(llmsText(pages, { base, version })))

  const { faults } = checkLinks(html, new Set(files.keys()), elsewhere)
  if (faults.length > 0) throw new Error(`${faults.length} links lead nowhere:\n${faults.slice(0, 50).join('\n')}`)
  const site = join(work, 'site')
  packFiles(site, files)
  return site
}

/** Where a script of the generator falls short of WCAG, what it holds and what takes its place. */
const mended: readonly { file: RegExp; from: RegExp; to: string }[] = [
  {
    // Code that is wide becomes a region, a landmark without a name, once it was measured: here code can be reached always.
    file: /^_astro\/ec\..*\.js$/,
    from: /let t=e\.getAttribute\("tabindex"\)!==null,r=e\.scrollWidth>e\.clientWidth/,
    to: 'let t=!0,r=!0',
  },
  {
    // The field of the search has a title and no name.
    file: /^_astro\/ui-core\..*\.js$/,
    from: /(\w+\(\w+,)`title`(,\w+=\w+\[\d+\]\(`placeholder`)/,
    to: '$1`aria-label`$2',
  },
]

function finishFile(name: string, content: Buffer): Buffer {
  const mend = mended.find(({ file }) => file.test(name))
  if (mend === undefined) return content
  const text = content.toString('utf8')
  if (!mend.from.test(text)) throw new Error(`${name} is not as it was when it was mended: look at it again with axe`)
  return Buffer.from(text.replace(mend.from, mend.to))
}

function writeContent(source: string, pages: readonly SitePage[], version: string): void {
  const theme = join(import.meta.dirname, 'theme')
  mkdirSync(join(source, 'src/content'), { recursive: true })
  mkdirSync(join(source, 'public'), { recursive: true })
  for (const name of ['footer.astro', 'page-title.astro', 'site.css'])
    cpSync(join(theme, name), join(source, 'src', name))
  cpSync(join(theme, 'content-config.mjs'), join(source, 'src/content.config.mjs'))
  cpSync(join(theme, 'icon.svg'), join(source, 'public/icon.svg'))
  writeFileSync(join(source, 'src/site.json'), JSON.stringify({ version }))
  const content = join(source, 'src/content/docs')
  rmSync(content, { recursive: true, force: true })
  for (const page of pages) {
    const file = join(content, `${page.address === '' ? 'index' : page.address.slice(0, -1)}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `---\n${frontMatter(page)}\n---\n\n${weighted(page)}`)
  }
}

/** JSON is YAML. A page that the navigation does not show has no neighbours either. */
function frontMatter({ address, title, description, isListed }: SitePage): string {
  // Its own choice of a name would leave the dots out.
  const known = { title, description, slug: address.slice(0, -1) }
  return JSON.stringify(isListed ? known : { ...known, prev: false, next: false })
}
