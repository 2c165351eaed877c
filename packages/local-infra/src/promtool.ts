// Finds promtool, with which tests judge alert rules. It takes the program out of Debian's package where the machine has none: installing
// the package would start a Prometheus.
import { takeFromPackage } from './debian-package.ts'
import { programOnPath } from './programs.ts'

/**
 * Path of the program: `WDS_TEST_PROMTOOL`, else that on the path, else Debian's, kept in the user's cache.
 * @throws LocalInfraError when there is none and apt gives none.
 */
export async function findPromtool(onNotice: (line: string) => void): Promise<string> {
  return (
    process.env.WDS_TEST_PROMTOOL ||
    (programOnPath(['promtool']) ??
      (await takeFromPackage({
        title: 'promtool',
        packageName: 'prometheus',
        megabytes: 19,
        setting: 'WDS_TEST_PROMTOOL',
        onNotice,
        program: 'usr/bin/promtool',
      })))
  )
}
