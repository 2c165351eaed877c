// Finds libfaketime, with which tests move the clock of one process: its wall clock, and nothing of the monotonic one. It installs Debian's
// where the machine has none and apt may be used.
import { existsSync, globSync } from 'node:fs'
import { installWithApt } from './debian-package.ts'

const folders = ['/usr/lib/*/faketime', '/usr/lib/faketime', '/usr/local/lib/faketime', '/usr/lib64/faketime']

/** Path of the library: `WDS_TEST_FAKETIME`, else that of the machine, else Debian's. @throws LocalInfraError when there is none and it cannot be installed. */
export async function findFaketime(onNotice: (line: string) => void): Promise<string> {
  return (
    process.env.WDS_TEST_FAKETIME ||
    (installed() ??
      (await installWithApt({
        title: 'libfaketime',
        packageName: 'libfaketime',
        megabytes: 1,
        setting: 'WDS_TEST_FAKETIME',
        onNotice,
        find: installed,
      })))
  )
}

function installed(): string | undefined {
  return globSync(folders.map((folder) => `${folder}/libfaketime.so.1`)).find((path) => existsSync(path))
}

/**
 * Environment of a process whose wall clock is what the file says: `+3600 x1` is an hour ahead, `-3600 x1` behind, `+0 x2` runs twice as fast,
 * `+0 x1` is the real one. A speed that is left out stays as it was.
 */
export function faketimeEnv(library: string, offsetFile: string): Record<string, string> {
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: offsetFile,
    // The file is looked at once a second.
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    // Of releases before 0.9.9.
    DONT_FAKE_MONOTONIC: '1',
  }
}
