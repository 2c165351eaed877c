// Follows the passwords of the database roles where their addresses are given by files (decision 101). A renewed one is told to the server once the
// server takes it, so that file and role may be changed minutes apart and no connection fails between.
import { acceptsPassword, providePassword } from '@wds/postgres/role-client'
import { readSecretText } from '@wds/settings/secret-text'
import { fileOfSecret } from '@wds/settings/settings'
import type { Logger } from '@wds/telemetry/logger'
import type { Progress } from '@wds/telemetry/progress'
import { databaseFaults } from './database-address.ts'
import { runLoop } from './loop.ts'
import { isProduction } from './profile.ts'
import type { ServiceValues } from './service-settings.ts'

const everyMs = 30_000

type Setting = 'DATABASE_URL' | 'WDS_WORKER_DATABASE_URL'

/** Files with the addresses; one that is not given by a file is not renewed. */
export type AddressFiles = Partial<Record<Setting, string | undefined>>

/** Of the environment of a process. */
export function addressFiles(env: Readonly<Record<string, string | undefined>>): AddressFiles {
  const names = ['DATABASE_URL', 'WDS_WORKER_DATABASE_URL'] as const
  return Object.fromEntries(names.map((name) => [name, fileOfSecret(name, env)]))
}

interface FollowOptions {
  values: ServiceValues
  files: AddressFiles
  logger: Logger
  signal: AbortSignal
  progress: Progress
  onStop(step: () => unknown): void
  /** For tests: milliseconds between two looks at a file. */
  everyMs?: number | undefined
}

/** From now on each new connection looks at the file of its address, and so does a loop every 30 s, whose lines tell how far a rotation is. */
export function followPasswords(o: FollowOptions): void {
  for (const setting of ['DATABASE_URL', 'WDS_WORKER_DATABASE_URL'] as const) {
    const file = o.files[setting]
    if (file !== undefined) followOne(setting, file, o)
  }
}

function followOne(setting: Setting, file: string, o: FollowOptions): void {
  const { logger, signal, progress } = o
  const given = o.values[setting]
  const production = isProduction(o.values)
  let used = passwordOf(given)
  let lastLine = ''
  /** Each state once. */
  const logOnce = (level: 'error' | 'warn' | 'info', message: string, fields: object = {}): void => {
    const line = JSON.stringify([message, fields])
    if (line !== lastLine) logger[level]({ setting, ...fields }, message)
    lastLine = line
  }
  const look = async (): Promise<void> => {
    const found = readSecretText(`${setting}_FILE`, file)
    const faults = found.ok ? faultsOf(setting, { text: found.text, given, production }) : [found.fault]
    if (!found.ok || faults.length > 0)
      return logOnce('error', 'renewed address cannot be used, that before stays', { faults })
    if (passwordOf(found.text) === used) {
      lastLine = ''
      return
    }
    // Another fault than a refusal is that of the connection as well, which reports it.
    const isAccepted = await acceptsPassword(found.text).catch(() => null)
    if (isAccepted === false) logOnce('warn', 'renewed password is not accepted by the server yet, that before stays')
    if (isAccepted !== true || passwordOf(found.text) === used) return
    used = passwordOf(found.text)
    logOnce('info', 'renewed password is in use for new connections')
  }
  // A pool opens several at a time: one look is enough for all who came before it began. One that is under way may have asked the server too early.
  let looking: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    looking = look().finally(() => {
      looking = null
    })
    return looking
  }
  const lookOnce = (): Promise<void> => {
    if (looking === null) return begin()
    next ??= looking.then(() => {
      next = null
      return begin()
    })
    return next
  }
  const end = providePassword(given, async () => {
    await lookOnce()
    return used
  })
  o.onStop(end)
  const pauseMs = o.everyMs ?? everyMs
  const turn = () => lookOnce().then(() => false)
  const ended = runLoop({ name: `follow ${setting}`, signal, logger, progress, pauseMs, turn })
  o.onStop(() => ended)
}

/** Why a text may not take the place of the address that the process started with. */
function faultsOf(setting: Setting, o: { text: string; given: string; production: boolean }): string[] {
  if (!URL.canParse(o.text) || !isDecodable(new URL(o.text).password)) return [`${setting} is no address`]
  if (withoutPassword(o.text) !== withoutPassword(o.given))
    return [`${setting} differs in more than its password, which takes a restart`]
  return o.production ? databaseFaults(setting, o.text) : []
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== null
  } catch {
    return false
  }
}

const passwordOf = (address: string): string => decodeURIComponent(new URL(address).password)

function withoutPassword(address: string): string {
  const url = new URL(address)
  url.password = ''
  return url.href
}
