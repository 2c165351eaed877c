// Finds Prometheus, which plays the incidents of test-e2e/incidents. It takes the program out of Debian's package where the machine has none:
// installing the package would start one.
import { takeFromPackage } from './debian-package.ts'
import { programOnPath } from './programs.ts'

/**
 * Path of the program: `WDS_TEST_PROMETHEUS`, else that on the path, else Debian's, kept in the user's cache.
 * @throws LocalInfraError when there is none and apt gives none.
 */
export async function findPrometheus(onNotice: (line: string) => void): Promise<string> {
  return (
    process.env.WDS_TEST_PROMETHEUS ||
    (programOnPath(['prometheus']) ??
      (await takeFromPackage({
        title: 'Prometheus',
        packageName: 'prometheus',
        megabytes: 19,
        setting: 'WDS_TEST_PROMETHEUS',
        onNotice,
        program: 'usr/bin/prometheus',
      })))
  )
}
