// Gets a program that only tests need from Debian, where the machine has none and apt may be used: installed, or taken out of its package.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { LocalInfraError, messageOf } from './local-infra-error.ts'

const run = promisify(execFile)

const installMs = 400_000

export interface DebianPackage {
  /** For people. */
  title: string
  packageName: string
  /** To download, about. */
  megabytes: number
  /** Names the path where somebody has it elsewhere. */
  setting: string
  onNotice(line: string): void
}

/** Its path, by `find` once it is installed. @throws LocalInfraError when this is not root, or apt does not install it. */
export async function installWithApt({
  title,
  packageName,
  ...o
}: DebianPackage & { find(): string | undefined }): Promise<string> {
  const advice = `install ${title} (Debian: apt-get install ${packageName}) or set ${o.setting} to its path`
  if (process.getuid?.() !== 0) throw new LocalInfraError(`Tests found no ${title}: ${advice}.`)
  o.onNotice(`installing Debian's ${title} with apt (about ${o.megabytes} MB, once)`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // --no-install-recommends leaves out what only a desktop needs.
  const install = `dpkg-query -W -f '\${Status}' ${packageName} 2>/dev/null | grep -q '^install ok' || (apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packageName})`
  // Suites that ask at the same time wait for one install: apt takes no second one.
  await run('flock', [join(tmpdir(), 'wds-apt-install'), 'sh', '-c', install], { env, timeout: installMs }).catch(
    (error) => {
      throw new LocalInfraError(`${title} cannot be installed with apt (${messageOf(error)}): ${advice}.`, {
        cause: error,
      })
    },
  )
  const path = o.find()
  if (path === undefined) throw new LocalInfraError(`apt installed no ${title}: ${advice}.`)
  return path
}

/** Path of `program`, a file of the package, which is kept in the user's cache. @throws LocalInfraError when apt gives none. */
export async function takeFromPackage({
  title,
  packageName,
  program,
  ...o
}: DebianPackage & { program: string }): Promise<string> {
  const name = basename(program)
  const folder = join(homedir(), '.cache/wds-local', name)
  const kept = join(folder, name)
  if (existsSync(kept)) return kept
  o.onNotice(`downloading Debian's ${packageName} with apt (about ${o.megabytes} MB, once), for ${title}`)
  mkdirSync(folder, { recursive: true })
  // On the file system of the cache, so that the last step is one rename.
  const work = mkdtempSync(join(folder, 'unpacking-'))
  const download = `apt-get download -qq ${packageName} || (apt-get update -qq && apt-get download -qq ${packageName})`
  const script = `(${download}) && dpkg-deb -x ${packageName}_*.deb .`
  try {
    // Suites that ask apt at the same time wait for each other.
    await run('flock', [join(tmpdir(), 'wds-apt-install'), 'sh', '-c', script], { cwd: work, timeout: installMs })
    renameSync(join(work, program), kept)
    return kept
  } catch (cause) {
    const advice = `install ${title} (Debian: apt-get install ${packageName}) or set ${o.setting} to its path`
    throw new LocalInfraError(`Tests found no ${title}, and apt gave none (${messageOf(cause)}): ${advice}.`, { cause })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
