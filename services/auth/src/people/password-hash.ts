// Hashes of passwords: argon2id, stored with its parameters in the PHC string format (auth.md 1.1). Computations are bounded, since each
// takes a core and 64 MiB; whoever asks about nobody costs the same, and so does an account whose hash is older (decision 71).
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
  /**
   * Is it the password of this hash? Null, of nobody: the same computation, and no. Throws Problem `unavailable` when too many wait.
   * `inUse`: the parameters of all hashes that are stored, as `m=65536,t=3,p=1`. One of each is computed, whatever the hash has.
   */
  verify(password: string, stored: string | null, inUse?: readonly string[]): Promise<boolean>
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
  const present = formatParameters(parameters)
  return {
    hash: async (password) => {
      const salt = randomBytes(saltBytes)
      return format({ parameters, salt, tag: await run(() => compute(password, parameters, salt)) })
    },
    verify: async (password, text, inUse = []) => {
      const stored = text === null ? null : parse(text)
      const own = stored === null ? present : formatParameters(stored.parameters)
      const tag = await run(async () => {
        for (const other of new Set([present, ...inUse])) {
          if (other !== own) await compute(password, parseParameters(other), randomBytes(saltBytes))
        }
        return compute(password, stored?.parameters ?? parameters, stored?.salt ?? randomBytes(saltBytes))
      })
      return timingSafeEqual(tag, stored?.tag ?? randomBytes(tagBytes)) && stored !== null
    },
    isOutdated: (text) => formatParameters(parse(text).parameters) !== present,
  }
}

function compute(password: string, o: HashParameters, nonce: Buffer): Promise<Buffer> {
  const { memoryKib: memory, passes, lanes: parallelism } = o
  const given: Argon2Parameters = { message: password, nonce, memory, passes, parallelism, tagLength: tagBytes }
  return argon2id('argon2id', given)
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

const formatParameters = ({ memoryKib, passes, lanes }: HashParameters) => `m=${memoryKib},t=${passes},p=${lanes}`

function format({ parameters, salt, tag }: Stored): string {
  return `$argon2id$v=19$${formatParameters(parameters)}$${base64(salt)}$${base64(tag)}`
}

function parse(text: string): Stored {
  const [, parameters = '', salt = '', tag = ''] = /^\$argon2id\$v=19\$([^$]+)\$([\w+/]+)\$([\w+/]+)$/.exec(text) ?? []
  return { parameters: parseParameters(parameters), salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

function parseParameters(text: string): HashParameters {
  const found = /^m=(\d+),t=(\d+),p=(\d+)$/.exec(text)
  if (!found) throw new Error('a stored password hash is not readable')
  const [memoryKib, passes, lanes] = found.slice(1).map(Number) as [number, number, number]
  return { memoryKib, passes, lanes }
}
