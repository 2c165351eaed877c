// Draws a sequence diagram as plain text (decision 114): who speaks to whom, in which order. Pure: notation in, text out.
//
// The notation is a line with who takes part, from left to right, and a line for each step; a step without `->` is of one alone:
//
//   api | log | delivery
//   api -> log: announces the event
//   delivery: fans out

interface Step {
  from: number
  to: number
  /** Lines of its label. */
  label: string[]
}

/** At least so many characters between two lines of life. */
const gapMin = 6
/** Labels are broken behind so many characters, so that four who take part fit a page of the site. */
const labelMax = 19

/** Throws Error for a line that is no step, and for a name that does not take part. */
export function drawSequence(notation: string): { text: string; steps: number } {
  const [head = '', ...lines] = notation
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const names = head.split('|').map((name) => name.trim())
  const steps = lines.map((line, nth) => stepOf(line, nth + 1, names))
  const places = placesOf(names, steps)
  const rows = [headLine(names, places), ...steps.flatMap((step) => linesOf(step, places)), lifeLines(places)]
  return { text: rows.map((row) => row.join('').trimEnd()).join('\n'), steps: steps.length }
}

function stepOf(line: string, nth: number, names: readonly string[]): Step {
  const [, from = '', to = from, text = ''] = /^(.+?)(?: -> (.+?))?: (.+)$/.exec(line) ?? []
  const step = { from: names.indexOf(from), to: names.indexOf(to), label: brokenUp(`${nth} ${text}`) }
  if (step.from < 0 || step.to < 0) throw new Error(`no step between those who take part: ${line}`)
  return step
}

function brokenUp(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length >= labelMax) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** Column of each line of life: as near as names and labels allow. */
function placesOf(names: readonly string[], steps: readonly Step[]): number[] {
  const places: number[] = []
  names.forEach((name, nth) => {
    const left = nth === 0 ? 0 : (places[nth - 1] ?? 0)
    let place = Math.ceil(name.length / 2)
    if (nth > 0) place += Math.max(left + Math.ceil((names[nth - 1] ?? '').length / 2) + 2, left + gapMin - place)
    for (const { from, to, label } of steps) {
      // What one does alone stands beside its line, up to the next.
      const [begin, end] = from === to ? [from, from + 1] : [Math.min(from, to), Math.max(from, to)]
      if (end === nth) place = Math.max(place, (places[begin] ?? 0) + Math.max(...label.map((line) => line.length)) + 4)
    }
    places.push(place)
  })
  return places
}

function headLine(names: readonly string[], places: readonly number[]): string[] {
  const row: string[] = []
  names.forEach((name, nth) => {
    write(row, Math.max(0, (places[nth] ?? 0) - Math.floor(name.length / 2)), name)
  })
  return row
}

function lifeLines(places: readonly number[]): string[] {
  const row: string[] = []
  for (const place of places) write(row, place, '|')
  return row
}

/** The label, and below it the arrow; of one alone the label is enough. */
function linesOf({ from, to, label }: Step, places: readonly number[]): string[][] {
  const [begin, end] = [places[Math.min(from, to)] ?? 0, places[Math.max(from, to)] ?? 0]
  const told = label.map((line) => {
    const row = lifeLines(places)
    write(row, begin + 2, from === to ? line : line.padEnd(end - begin - 2))
    return row
  })
  if (from === to) return [lifeLines(places), ...told]
  const arrow = lifeLines(places)
  const line = '-'.repeat(end - begin - 2)
  write(arrow, begin + 1, from < to ? `${line}>` : `<${line}`)
  return [lifeLines(places), ...told, arrow]
}

function write(row: string[], at: number, text: string): void {
  while (row.length < at) row.push(' ')
  for (const [nth, character] of [...text].entries()) row[at + nth] = character
}

const marked = /(<!-- sequence: (.+)\n([\s\S]*?)-->\n+)```text[^\n]*\n([\s\S]*?)^```$/gm

/** Text of a page with each of its diagrams drawn in the block behind its notation. Throws Error where the steps of a diagram are not told in the list below it. */
export function withDiagrams(markdown: string): string {
  const marks = markdown.match(/^<!-- sequence: /gm)?.length ?? 0
  let found = 0
  const text = markdown.replaceAll(marked, (whole, mark: string, title: string, notation: string, __, at: number) => {
    found += 1
    const { text: drawn, steps } = drawSequence(notation)
    const told = countItems(markdown.slice(at + whole.length))
    if (told !== steps) throw new Error(`${title}: ${steps} steps are drawn, the list below tells ${told}`)
    return `${mark}\`\`\`text title="${title}"\n${drawn}\n\`\`\``
  })
  if (found !== marks) throw new Error(`${marks - found} of ${marks} diagrams have no block behind them`)
  return text
}

/** Items of the numbered list that comes next, before another heading. */
function countItems(markdown: string): number {
  const [part = ''] = markdown.split(/^#/m)
  return part.match(/^\d+\. /gm)?.length ?? 0
}
