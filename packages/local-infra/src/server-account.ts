// Decides as which account Postgres runs and whether that account reaches a path. It never creates a user: as root
// the server runs as uid 65534, which every system has as `nobody` or not at all (stack.md 3.2).
import { chmodSync, existsSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** The account, as options of `spawn` and `chown`. */
export interface ServerAccount {
  uid: number
  gid: number
}

/** Where data and binaries go when the account cannot reach their own place. */
export const fallbackRoot = '/var/lib/wds-local'

const nobody = 65_534

/** The account to change to, or null when the present one will do. Postgres refuses to run as root. */
export function serverAccount(): ServerAccount | null {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : null
}

/** True when the account may pass through every folder above the path (or above its nearest existing parent). */
export function isReachable(path: string, account: ServerAccount | null): boolean {
  if (!account) return true
  let existing = resolve(path)
  while (!existsSync(existing)) existing = dirname(existing)
  const real = realpathSync(existing)
  // A file where a folder is needed: nobody gets past it, and whoever makes the folder tells it better.
  if (existing !== resolve(path) && !statSync(real).isDirectory()) return true
  const start = existing === resolve(path) ? dirname(real) : real
  for (let folder = start; ; folder = dirname(folder)) {
    if (!mayEnter(statSync(folder), account)) return false
    if (folder === dirname(folder)) return true
  }
}

/** True when the account may run this file. */
export function isRunnable(path: string, account: ServerAccount | null): boolean {
  return isReachable(path, account) && (!account || (statSync(path).mode & 0o005) === 0o005)
}

/** Makes a folder and its parents, passable for everybody whatever the umask: it holds no data of its own. */
export function makeParentFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o755 })
  if (first === undefined) return
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) chmodSync(folder, 0o755)
}

function mayEnter(stats: Stats, account: ServerAccount): boolean {
  if (stats.uid === account.uid) return (stats.mode & 0o100) !== 0
  if (stats.gid === account.gid) return (stats.mode & 0o010) !== 0
  return (stats.mode & 0o001) !== 0
}
