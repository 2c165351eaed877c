// Installs a program that only tests need from Debian, where the machine has none and apt may be used.
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  /** Its path, once it is installed. */
  find(): string | undefined
}

/** Its path. @throws LocalInfraError when this is not root, or apt does not install it. */
export async function installWithApt({ title, packageName, ...o }: DebianPackage): Promise<string> {
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
