// Compares what a page shows with what its commands printed. Ids, times, secrets and signatures differ from run to run: any of the same kind
// will do. `…` in the page stands for anything within a line, a line of `…` alone for any lines.

/** Null where they agree; else what is missed, for a person. */
export function differenceOf(shown: string, printed: string): string | null {
  const [wanted, found] = [linesOf(shown), linesOf(printed)]
  let at = 0
  let maySkip = false
  for (const line of wanted) {
    if (line === '…') {
      maySkip = true
      continue
    }
    const pattern = patternOf(line)
    const hit = found.findIndex((one, nth) => nth >= at && (maySkip || nth === at) && pattern.test(one))
    if (hit < 0)
      return `shown: ${line}\nprinted: ${maySkip ? found.slice(at).join('\n') : (found[at] ?? 'nothing more')}`
    at = hit + 1
    maySkip = false
  }
  return at === found.length || maySkip ? null : `printed and not shown: ${found.slice(at).join('\n')}`
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

/** What differs from run to run, and by which pattern it is known. The first that fits counts. */
const masks: [found: RegExp, pattern: string][] = [
  [/…/, '.*'],
  [/whsec_[\w+/=-]+/, 'whsec_[\\w+/=-]+'],
  [/wdk_(?:live|test)_\w+/, 'wdk_(?:live|test)_\\w+'],
  [/t=\d{9,},v1=[0-9a-f]{64}/, 't=\\d{9,},v1=[0-9a-f]{64}'],
  [/\b[0-9a-f]{64}\b/, '[0-9a-f]{64}'],
  [/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/, '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)'],
  [/(?<=\b[a-z]{3}_)[0-9A-HJKMNP-TV-Z]{26}\b/, '[0-9A-HJKMNP-TV-Z]{26}'],
  [/http:\/\/(?:127\.0\.0\.1|localhost):\d+/, 'http://(?:127\\.0\\.0\\.1|localhost):\\d+'],
]
const varying = new RegExp(masks.map(([found]) => `(${found.source})`).join('|'), 'g')

function patternOf(line: string): RegExp {
  let pattern = ''
  let from = 0
  for (const hit of line.matchAll(varying)) {
    const nth = hit.slice(1).findIndex((group) => group !== undefined)
    pattern += escaped(line.slice(from, hit.index)) + masks[nth]?.[1]
    from = hit.index + hit[0].length
  }
  return new RegExp(`^${pattern}${escaped(line.slice(from))}$`)
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
