// Makes the secrets that an installation begins with, a folder for each Secret of k8s/ with a file for each of its keys. What is there stays:
// a second call gives the same, and a folder of an earlier release gets what is new.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { provision, type ServiceName, serviceNames } from './provision.ts'

/** What each service has beside its addresses; the internal token is one, which three of them share. */
const ownKeys: Record<ServiceName, string[]> = {
  auth: ['cursor-key', 'encryption-key'],
  api: ['cursor-key', 'encryption-key'],
  catalog: ['cursor-key'],
  delivery: ['cursor-key', 'encryption-key'],
}
const sharesToken = (name: ServiceName) => name !== 'catalog'

/** The text of a file, which is made, readable by its owner alone, where it is not there. */
function textOf(path: string, make: () => string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const text = make()
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
  return text
}

const key = () => randomBytes(32).toString('base64')

/**
 * Makes roles and schemas in the database of `adminUrl`, and `<service>-secrets` and `<service>-owner` in `folder`. Safe to repeat: a
 * password that is in the folder is set again. `addressOf` makes of a role's URL the one that pods use; unless told, that of the admin.
 */
export async function makeSecrets(o: {
  adminUrl: string
  folder: string
  addressOf?(url: string): string
}): Promise<string[]> {
  const { folder, addressOf = (url) => url } = o
  const file = (...words: string[]) => join(folder, ...words)
  const passwordOf = (role: string) => textOf(file('passwords', role), () => randomBytes(24).toString('base64url'))
  const urls = await provision({ adminUrl: o.adminUrl, passwordOf })
  const token = textOf(file('passwords', 'internal-token'), key)
  for (const name of serviceNames) {
    const secrets = `${name}-secrets`
    const { owner, http, worker } = urls.services[name]
    writeFileSync(placed(file(secrets, 'database-url')), addressOf(http), { mode: 0o600 })
    writeFileSync(placed(file(secrets, 'worker-database-url')), addressOf(worker), { mode: 0o600 })
    writeFileSync(placed(file(`${name}-owner`, 'owner-database-url')), addressOf(owner), { mode: 0o600 })
    for (const own of ownKeys[name]) textOf(file(secrets, own), key)
    if (sharesToken(name)) textOf(file(secrets, 'internal-token'), () => token)
    textOf(file(secrets, 'kafka-username'), () => name)
    textOf(file(secrets, 'kafka-password'), () => randomBytes(24).toString('base64url'))
  }
  return serviceNames.flatMap((name) => [`${name}-secrets`, `${name}-owner`])
}

/** With the folder that it needs. */
function placed(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return path
}
