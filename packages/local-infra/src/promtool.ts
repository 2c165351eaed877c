// Finds promtool, with which tests judge alert rules. It takes the program out of Debian's package where the machine has none: installing
// the package would start a Prometheus.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LocalInfraError, messageOf } from './local-infra-error.ts'
import { programOnPath } from './programs.ts'

const run = promisify(execFile)
const folder = join(homedir(), '.cache/wds-local/promtool')
const kept = join(folder, 'promtool')
const downloadMs = 400_000

/**
 * Path of the program: `WDS_TEST_PROMTOOL`, else that on the path, else Debian's, kept in the user's cache.
 * @throws LocalInfraError when there is none and apt gives none.
 */
export async function findPromtool(onNotice: (line: string) => void): Promise<string> {
  return (
    process.env.WDS_TEST_PROMTOOL ||
    (programOnPath(['promtool']) ?? (existsSync(kept) ? kept : await takeFromPackage(onNotice)))
  )
}

async function takeFromPackage(onNotice: (line: string) => void): Promise<string> {
  onNotice("downloading Debian's prometheus with apt (about 19 MB, once), for promtool")
  mkdirSync(folder, { recursive: true })
  // On the file system of the cache, so that the last step is one rename.
  const work = mkdtempSync(join(folder, 'unpacking-'))
  const download = 'apt-get download -qq prometheus || (apt-get update -qq && apt-get download -qq prometheus)'
  const script = `(${download}) && dpkg-deb -x prometheus_*.deb .`
  try {
    // Suites that ask apt at the same time wait for each other.
    await run('flock', [join(tmpdir(), 'wds-apt-install'), 'sh', '-c', script], { cwd: work, timeout: downloadMs })
    renameSync(join(work, 'usr/bin/promtool'), kept)
    return kept
  } catch (cause) {
    const advice = 'install promtool (Debian: apt-get install prometheus) or set WDS_TEST_PROMTOOL to its path'
    throw new LocalInfraError(`Tests found no promtool, and apt gave none (${messageOf(cause)}): ${advice}.`, { cause })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
