// Makes a page of the repository a page of the site: links lead to where the site has what they name, and what looks like a tag is text.
// Pure: Markdown in, Markdown out.
import { dirname, join, normalize } from 'node:path/posix'

/** Address of a file's page below the site's root, or null when the file is no page. */
export type AddressOf = (path: string) => string | null

/** Blocks, also those within a list, and code in a line. */
const code = /^ *(?:```|~~~)[^\n]*\n[\s\S]*?^ *(?:```|~~~)[ \t]*$|``[^\n]*?``|`[^`\n]*`/
/** The name of the file that a block holds, on its first line. */
const fileOfBlock = /^( *```[^\n]*?) file=(\S+)/
const link = /(!?)\[((?:`[^`\n]*`|[^\]`])*)\]\(<?([^()\s<>]+)>?\)/
/** A name in angle brackets; `<br>` is meant as a tag. */
const tag = /<(?!br>|https?:)(?=[a-z/!])/
/** A note to programs, such as which file a block shows. */
const comment = /(?:^[ \t]+)?<!--[\s\S]*?-->\n?/
const parts = new RegExp(`(${code.source})|(${comment.source})|(${link.source})|(${tag.source})`, 'gim')

interface Place {
  /** Of the page, from the root of the repository. */
  path: string
  /** Path of the site on its server, with a slash at both ends. */
  base: string
  addressOf: AddressOf
}

/** What the site does not have, such as a source file, is named by its path and is no link: there is no address of it to lead to. */
export function prepareMarkdown(markdown: string, place: Place): string {
  return markdown.replace(
    parts,
    (
      whole,
      isCode?: string,
      isComment?: string,
      isLink?: string,
      picture?: string,
      text = '',
      target = '',
      isTag?: string,
    ) => {
      if (isComment !== undefined) return ''
      if (isTag !== undefined) return '&lt;'
      if (isCode !== undefined) return whole.replace(fileOfBlock, '$1 title="$2"')
      if (isLink === undefined || picture === '!') return whole
      return linkTo(text, target, place) ?? whole
    },
  )
}

/** Null: the link stays as it is. */
function linkTo(text: string, target: string, { path, base, addressOf }: Place): string | null {
  if (/^[a-z]+:/i.test(target) || target.startsWith('#')) return null
  const [file = '', anchor] = target.split('#')
  const named = normalize(join(dirname(path), decodeURI(file))).replace(/\/$/, '')
  const address = addressOf(named) ?? addressOf(`${named}/README.md`)
  if (address !== null) return `[${text}](${base}${address}${anchor === undefined ? '' : `#${anchor}`})`
  const shown = text.replaceAll('`', '')
  return named === shown || named.endsWith(`/${shown}`) ? `\`${named}\`` : `${text} (\`${named}\`)`
}
