// Resolves names with the sender's own DNS client (configured servers, no search domains, no hosts file, not the thread pool of the process).
// It never judges an answer: the address rule does that at every use, also of cached answers.

import { Resolver as DnsResolver } from 'node:dns/promises'
import { errorCodeOf } from './attempt-errors.ts'
import { hasDescriptors } from './descriptors.ts'
import { isUnderLocalhost, localhostAddresses } from './localhost-name.ts'

/**
 * Answers of one name. `not_found`: the name does not exist or has no address; `failed`: its servers fail, are silent or answer too much
 * (both the receiver's fault); `ours`: our own resolver is out of reach (costs no attempt, reliability.md F36); `no_descriptor`: it could not
 * be asked (costs none either, F63).
 */
export type Resolution =
  | { ok: true; addresses: readonly string[] }
  | { ok: false; fault: 'not_found' | 'failed' | 'ours' | 'no_descriptor' }

/** Resolves A and AAAA of one name, at once where the answer is known. Never throws. */
export interface Resolver {
  resolve(name: string): Resolution | Promise<Resolution>
}

/** The two questions of one address family, as node:dns/promises has them; a seam for tests. */
export interface DnsQuestions {
  resolve4(name: string, options: { ttl: true }): Promise<{ address: string; ttl: number }[]>
  resolve6(name: string, options: { ttl: true }): Promise<{ address: string; ttl: number }[]>
  resolveNs(name: string): Promise<unknown>
}

/** Settings of a resolver; times in milliseconds. */
export interface ResolverOptions {
  /** Servers as `address` or `address:port`; default: those of the machine. */
  readonly servers?: readonly string[]
  /** Limit of one look-up, default 5,000. */
  readonly timeoutMs?: number
  readonly questions?: DnsQuestions
  readonly nowMs?: () => number
}

const answersMax = 16
const cachedNamesMax = 10_000
const positiveMaxMs = 30_000
const negativeMs = 5_000
/** A look-up this old asks whether the servers answer at all, so that their silence and a domain's can be told apart. */
const probeAfterMs = 1_500

const ours = new Set([
  'ECONNREFUSED',
  'ENOSERVERS',
  'ENOTINITIALIZED',
  'ELOADIPHLPAPI',
  'EADDRGETNETWORKPARAMS',
  'EFILE',
  'ENOMEM',
  'ENETUNREACH',
])
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const silent = new Set(['ETIMEOUT', 'ECANCELLED', 'EDESTRUCTION'])

type FamilyAnswer = { answers: { address: string; ttl: number }[] } | { code: string }

async function ask(question: Promise<{ address: string; ttl: number }[]>): Promise<FamilyAnswer> {
  try {
    return { answers: await question }
  } catch (error) {
    const code = errorCodeOf(error)
    // Asked at once: some may be free a moment later.
    return { code: ours.has(code) && !hasDescriptors() ? 'EMFILE' : code }
  }
}

interface Lookup {
  readonly resolution: Resolution
  readonly keepMs: number
}

function merge(families: FamilyAnswer[], isAlive: boolean): Lookup {
  const answers = families.flatMap((family) => ('answers' in family ? family.answers : []))
  const codes = families.flatMap((family) => ('code' in family ? [family.code] : []))
  if (answers.length > answersMax) return { resolution: { ok: false, fault: 'failed' }, keepMs: negativeMs }
  if (answers.length > 0) {
    const ttlMs = Math.min(...answers.map((answer) => answer.ttl)) * 1000
    return {
      resolution: { ok: true, addresses: answers.map((answer) => answer.address) },
      keepMs: Math.min(ttlMs, positiveMaxMs),
    }
  }
  if (codes.includes('EMFILE')) return { resolution: { ok: false, fault: 'no_descriptor' }, keepMs: 0 }
  const isOurs = codes.some((code) => ours.has(code)) || (codes.some((code) => silent.has(code)) && !isAlive)
  if (isOurs) return { resolution: { ok: false, fault: 'ours' }, keepMs: 0 }
  const fault = codes.every((code) => absent.has(code)) ? 'not_found' : 'failed'
  return { resolution: { ok: false, fault }, keepMs: negativeMs }
}

function withTimeout<T>(promise: Promise<T>, timeoutMs: number, late: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), timeoutMs)
    const end = (value: T): void => {
      clearTimeout(timer)
      resolve(value)
    }
    promise.then(end, () => end(late))
  })
}

async function isServerAlive(questions: DnsQuestions): Promise<boolean> {
  try {
    await questions.resolveNs('.')
    return true
  } catch (error) {
    const code = errorCodeOf(error)
    return !ours.has(code) && !silent.has(code)
  }
}

async function lookUp(questions: DnsQuestions, name: string, timeoutMs: number): Promise<Lookup> {
  let isAlive = false
  const probe = setTimeout(
    () => {
      isServerAlive(questions).then(
        (alive) => {
          isAlive = alive
        },
        () => {},
      )
    },
    Math.min(probeAfterMs, timeoutMs / 3),
  )
  const late: FamilyAnswer = { code: 'ETIMEOUT' }
  const families = await Promise.all([
    withTimeout(ask(questions.resolve4(name, { ttl: true })), timeoutMs, late),
    withTimeout(ask(questions.resolve6(name, { ttl: true })), timeoutMs, late),
  ])
  clearTimeout(probe)
  return merge(families, isAlive)
}

function systemQuestions(servers: readonly string[] | undefined, timeoutMs: number): DnsQuestions {
  const dns = new DnsResolver({ timeout: Math.ceil(timeoutMs / 2), tries: 2, maxTimeout: timeoutMs })
  if (servers !== undefined) dns.setServers(servers)
  return dns
}

/** A caching resolver: answers are kept for min(TTL, 30 s), failures 5 s, failures of our own not at all; equal look-ups under way are one. */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const timeoutMs = options.timeoutMs ?? 5_000
  const nowMs = options.nowMs ?? (() => performance.now())
  const questions = options.questions ?? systemQuestions(options.servers, timeoutMs)
  const cache = new Map<string, { resolution: Resolution; untilMs: number }>()
  const underWay = new Map<string, Promise<Resolution>>()

  const remember = (name: string, { resolution, keepMs }: Lookup): Resolution => {
    cache.delete(name)
    if (keepMs > 0) cache.set(name, { resolution, untilMs: nowMs() + keepMs })
    const oldest = cache.size > cachedNamesMax ? cache.keys().next().value : undefined
    if (oldest !== undefined) cache.delete(oldest)
    return resolution
  }

  const start = async (name: string): Promise<Resolution> => {
    try {
      return remember(name, await lookUp(questions, name, timeoutMs))
    } catch {
      return { ok: false, fault: 'ours' }
    } finally {
      underWay.delete(name)
    }
  }

  return {
    resolve(name) {
      if (isUnderLocalhost(name)) return { ok: true, addresses: localhostAddresses }
      const known = cache.get(name)
      if (known !== undefined && known.untilMs > nowMs()) return known.resolution
      const running = underWay.get(name)
      if (running !== undefined) return running
      const started = start(name)
      underWay.set(name, started)
      return started
    },
  }
}
