// Hashes of passwords: argon2id, stored with its parameters in the PHC string format (auth.md 1.1). Computations are bounded, since each
// takes a core and 64 MiB; whoever asks about nobody costs the same.
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Problem } from '@wds/http-service/problem'

/** What a computation costs. */
export interface HashParameters {
  memoryKib: number
  passes: number
  lanes: number
}

/** auth.md 1.1; more than OWASP's least (19 MiB, 2 passes). */
export const defaultParameters: HashParameters = { memoryKib: 65_536, passes: 3, lanes: 1 }

const saltBytes = 16
const tagBytes = 32

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Is it the password of this hash? Null, of nobody: the same computation, and no. Throws Problem `unavailable` when too many wait. */
  verify(password: string, stored: string | null): Promise<boolean>
  /** Was it made with other parameters than those of today? */
  isOutdated(stored: string): boolean
}

interface Stored {
  parameters: HashParameters
  salt: Buffer
  tag: Buffer
}

const argon2id = promisify(argon2)

/** `concurrent`: computations at once; `waitingMax`: how many may wait for one. */
export function createPasswordHasher(
  o: { parameters?: HashParameters; concurrent?: number; waitingMax?: number } = {},
): PasswordHasher {
  const { parameters = defaultParameters } = o
  // One of libuv's four threads is left to file and name look-ups.
  const run = bounded(o.concurrent ?? Math.min(availableParallelism(), 3), o.waitingMax ?? 20)
  const compute = (
    password: string,
    { memoryKib: memory, passes, lanes: parallelism }: HashParameters,
    nonce: Buffer,
  ) =>
    run(() => {
      const given: Argon2Parameters = { message: password, nonce, memory, passes, parallelism, tagLength: tagBytes }
      return argon2id('argon2id', given)
    })
  return {
    hash: async (password) => {
      const salt = randomBytes(saltBytes)
      return format({ parameters, salt, tag: await compute(password, parameters, salt) })
    },
    verify: async (password, text) => {
      const stored = text === null ? null : parse(text)
      const tag = await compute(password, stored?.parameters ?? parameters, stored?.salt ?? randomBytes(saltBytes))
      return timingSafeEqual(tag, stored?.tag ?? randomBytes(tagBytes)) && stored !== null
    },
    isOutdated: (text) => {
      const { memoryKib, passes, lanes } = parse(text).parameters
      return memoryKib !== parameters.memoryKib || passes !== parameters.passes || lanes !== parameters.lanes
    },
  }
}

/** Runs at most `concurrent` at once; when `waitingMax` wait already, it refuses. */
function bounded(concurrent: number, waitingMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= concurrent) {
      if (waiting.length >= waitingMax) throw new Problem('unavailable', { headers: { 'retry-after': '2' } })
      await new Promise<void>((go) => waiting.push(go))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place is handed on.
      if (next) next()
      else running -= 1
    }
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function format({ parameters: { memoryKib, passes, lanes }, salt, tag }: Stored): string {
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${base64(salt)}$${base64(tag)}`
}

function parse(text: string): Stored {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(text)
  if (!found) throw new Error('a stored password hash is not readable')
  const [, memory, passes, lanes, salt = '', tag = ''] = found
  const parameters = { memoryKib: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  return { parameters, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
