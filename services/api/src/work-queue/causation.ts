// Says how many automation rules a change came through, for the loop guard (domain.md 9.5). It stands behind the id in `causation`, which
// streams keep and the log carries as a header, so that what is announced once more has it too.

/** `id`: of what caused the change. */
export const causationOf = (id: string, depth: number): string => (depth === 0 ? id : `${id}/${depth}`)

/** 0 for what a person or a source did. */
export function depthOf(causation: string | undefined): number {
  const depth = Number(causation?.split('/')[1] ?? 0)
  return Number.isSafeInteger(depth) && depth > 0 ? depth : 0
}
