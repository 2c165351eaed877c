// Decides which events a subscription's payload filter lets through, and what is wrong with a filter. All work is bounded: at most 10
// conditions, each a walk of at most 5 steps and a comparison of scalars.

/** What a member of an event's body is compared with. */
export type Scalar = string | number | boolean | null

/** One condition. `pointer`: RFC 6901, from the root of the event, e.g. `/data/status`. */
export type FilterCondition =
  | { pointer: string; op: 'eq' | 'neq'; value: Scalar }
  | { pointer: string; op: 'in'; value: Scalar[] }
  | { pointer: string; op: 'gt' | 'lt'; value: number | string }
  | { pointer: string; op: 'exists'; value: boolean }

/** All conditions must hold. */
export interface PayloadFilter {
  all: FilterCondition[]
}

/** What is wrong, for the client to read; `at`: a JSON pointer within the filter. */
export interface FilterFault {
  at: string
  reason: string
}

const conditionsMax = 10
const stepsMax = 5
const pointerCharactersMax = 255
const valuesMax = 50
const textCharactersMax = 255

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'boolean' || isNumber(value) || isText(value)
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= textCharactersMax
const isOrdered = (value: unknown): boolean => isNumber(value) || isText(value)

/** For each operator the values that it takes. */
const operators: Record<FilterCondition['op'], { takes(value: unknown): boolean; reason: string }> = {
  eq: { takes: isScalar, reason: 'eq takes a text of at most 255 characters, a number, true, false or null.' },
  neq: { takes: isScalar, reason: 'neq takes a text of at most 255 characters, a number, true, false or null.' },
  in: {
    takes: (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= valuesMax && value.every((one) => isScalar(one)),
    reason: 'in takes a list of 1 to 50 texts, numbers, true, false or null.',
  },
  gt: { takes: isOrdered, reason: 'gt takes a number or a text of at most 255 characters.' },
  lt: { takes: isOrdered, reason: 'lt takes a number or a text of at most 255 characters.' },
  exists: { takes: (value) => typeof value === 'boolean', reason: 'exists takes true or false.' },
}

/** Every fault of a filter as a client sent it, at most one for each condition; none: it is a `PayloadFilter`. */
export function faultsOfFilter(filter: {
  all: readonly { pointer: string; op: string; value?: unknown }[]
}): FilterFault[] {
  const count = filter.all.length
  if (count < 1 || count > conditionsMax) return [{ at: '/all', reason: '1 to 10 conditions are allowed.' }]
  return filter.all.flatMap(({ pointer, op, value }, nth) => {
    const at = `/all/${nth}`
    const fault = pointerFault(pointer)
    if (fault !== null) return [{ at: `${at}/pointer`, reason: fault }]
    if (!Object.hasOwn(operators, op)) return [{ at: `${at}/op`, reason: 'Use eq, neq, in, gt, lt or exists.' }]
    const { takes, reason } = operators[op as FilterCondition['op']]
    return takes(value) ? [] : [{ at: `${at}/value`, reason }]
  })
}

function pointerFault(pointer: string): string | null {
  if (pointer.length > pointerCharactersMax) return 'A pointer has at most 255 characters.'
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer))
    return 'Use a JSON pointer (RFC 6901), such as /data/status.'
  return stepsOf(pointer).length > stepsMax ? 'A pointer is at most 5 members deep.' : null
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Whether the body of an event fulfils every condition; the filter must have no faults. */
export function compileFilter(filter: PayloadFilter): (body: unknown) => boolean {
  const conditions = filter.all.map((condition) => ({ condition, steps: stepsOf(condition.pointer) }))
  return (body) => conditions.every(({ condition, steps }) => holds(condition, valueAt(body, steps)))
}

/** `found`: undefined where the event has no such member. `neq` is the exact opposite of `eq`, so it holds there. */
function holds(condition: FilterCondition, found: unknown): boolean {
  switch (condition.op) {
    case 'eq':
      return found === condition.value
    case 'neq':
      return found !== condition.value
    case 'in':
      return condition.value.some((value) => found === value)
    case 'gt':
      return isSameKind(found, condition.value) && found > condition.value
    case 'lt':
      return isSameKind(found, condition.value) && found < condition.value
    case 'exists':
      return (found !== undefined) === condition.value
  }
}

/** A number is never compared with a text. Texts are compared by code units, which orders dates and instants in UTC. */
function isSameKind<T extends number | string>(found: unknown, value: T): found is T {
  return typeof found === typeof value
}

function valueAt(body: unknown, steps: readonly string[]): unknown {
  let found = body
  for (const step of steps) {
    if (typeof found !== 'object' || found === null) return undefined
    // Own members only: a filter must not see what every object inherits.
    if (Array.isArray(found) && !/^(?:0|[1-9]\d{0,8})$/.test(step)) return undefined
    if (!Object.hasOwn(found, step)) return undefined
    found = (found as Record<string, unknown>)[step]
  }
  return found
}
