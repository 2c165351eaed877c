// Refuses circles between the concepts of a service (architecture.md 1): the linter knows circles of files only. Run by `npm run check`.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'

/** An import that leads from one concept to another, and the file that has it. */
interface Step {
  to: string
  file: string
}

/** Every circle of concept folders in `services/*` of a repository, as one line each. Tests and fixtures may import what they like. */
export function conceptCircles(root: string): string[] {
  return globSync('services/*', { cwd: root }).flatMap((service) =>
    circlesOf(stepsOf(root, join(service, 'src'))).map((circle) => `${posix(service)}: ${circle}`),
  )
}

/** Of each concept the steps to others, one for each of them. */
function stepsOf(root: string, src: string): Map<string, Step[]> {
  const steps = new Map<string, Step[]>()
  for (const path of globSync('*/**/*.{ts,tsx}', { cwd: join(root, src) }).sort()) {
    if (/\.(test|fixture)\.ts$/.test(path)) continue
    const concept = posix(path).split('/')[0] as string
    const known = steps.get(concept) ?? []
    steps.set(concept, known)
    const text = readFileSync(join(root, src, path), 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)) {
      const [to = '', ...rest] = posix(normalize(join(dirname(path), target))).split('/')
      const isConcept = rest.length > 0 && to !== '..' && to !== concept
      if (isConcept && !known.some((step) => step.to === to)) known.push({ to, file: posix(path) })
    }
  }
  return steps
}

function circlesOf(steps: Map<string, Step[]>): string[] {
  const found = new Map<string, string>()
  for (const [concept, own] of steps) {
    for (const step of own) {
      const back = wayTo(concept, step.to, steps)
      if (back === null) continue
      const circle = [step, ...back]
      const members = circle.map(({ to }) => to).sort()
      const text = [concept, ...circle.map(({ to, file }) => `${to} (by ${file})`)].join(' → ')
      if (!found.has(members.join(' '))) found.set(members.join(' '), text)
    }
  }
  return [...found.values()]
}

/** A shortest way from one concept to another, or null. */
function wayTo(end: string, start: string, steps: Map<string, Step[]>): Step[] | null {
  const seen = new Set([start])
  let ways: Step[][] = [[]]
  while (ways.length > 0) {
    const longer: Step[][] = []
    for (const way of ways) {
      const at = way.at(-1)?.to ?? start
      if (at === end) return way
      for (const step of steps.get(at) ?? []) {
        if (seen.has(step.to)) continue
        seen.add(step.to)
        longer.push([...way, step])
      }
    }
    ways = longer
  }
  return null
}

const posix = (path: string): string => path.split(sep).join('/')

if (import.meta.main) {
  const circles = conceptCircles(join(import.meta.dirname, '../..'))
  for (const circle of circles) console.error(`circle of concepts in ${circle}`)
  process.exitCode = circles.length === 0 ? 0 : 1
}
