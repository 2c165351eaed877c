// `llms.txt`: the list of all pages for programs that read documentation (llmstxt.org).
import { pagesByOthers } from './navigation.ts'
import { sections } from './sections.ts'
import type { SitePage } from './source-pages.ts'

type Listed = Pick<SitePage, 'title' | 'address' | 'description'>

export function llmsText(pages: readonly SitePage[], o: { base: string; version: string }): string {
  const lineOf = ({ title, address, description }: Listed) => {
    const told = description === '' ? '' : `: ${description}`
    return `- [${title}](${o.base}${address})${told}`
  }
  const parts = sections.map((section) => {
    const own = pages.filter((page) => page.section === section && page.address !== '')
    const lines = [...(pagesByOthers[section] ?? []), ...own].map(lineOf)
    return own.length === 0 ? '' : `## ${section}\n\n${lines.join('\n')}\n`
  })
  const start = pages.find(({ address }) => address === '')
  return [
    `# Workspace Data Service\n`,
    `> ${start?.description ?? ''} For ${o.version}.\n`,
    ...parts.filter(Boolean),
  ].join('\n')
}
