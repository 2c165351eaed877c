// Finds nginx, the front door of deploy/compose. It takes the program out of Debian's package where the machine has none: installing the
// package would start a web server.

import { takeFromPackage } from './debian-package.ts'
import { messageOf } from './local-infra-error.ts'
import { isProgram, programOnPath } from './programs.ts'

/**
 * Path of the program: `WDS_TEST_NGINX`, else that of the machine, else Debian's, kept in the user's cache.
 * @throws LocalInfraError when there is none and apt gives none.
 */
export async function findNginx(onNotice: (line: string) => void): Promise<string> {
  return (
    process.env.WDS_TEST_NGINX ||
    (programOnPath(['nginx']) ??
      // Not on the path of everybody.
      ['/usr/sbin/nginx'].find(isProgram) ??
      (await takeFromPackage({
        title: 'nginx',
        packageName: 'nginx',
        megabytes: 1,
        setting: 'WDS_TEST_NGINX',
        onNotice,
        program: 'usr/sbin/nginx',
      })))
  )
}

/** Null where tests can have it, else why not, which is told in a line; an error under CI. */
export async function whyNoNginx(): Promise<string | null> {
  try {
    await findNginx((line) => void process.stderr.write(`${line}\n`))
    return null
  } catch (error) {
    if (process.env.CI) throw error
    const why = messageOf(error)
    process.stderr.write(`skipped: ${why}\n`)
    return why
  }
}
