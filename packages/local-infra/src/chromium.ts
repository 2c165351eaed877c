// Finds the Chromium that browser tests drive, without its windows where there is such a one: it computes half as much. It installs
// Debian's where the machine has none and apt may be used; it never fetches a browser from anywhere else.
import { installWithApt } from './debian-package.ts'
import { isProgram, programOnPath } from './programs.ts'

const withoutWindows = 'chromium-headless-shell'
const names = [withoutWindows, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const macPaths = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/**
 * Path of the program: `WDS_TEST_CHROMIUM`, else Chromium's headless shell, Chromium or Chrome on the path, else Debian's headless shell,
 * installed with apt when this is root.
 * @throws LocalInfraError when there is none and it cannot be installed.
 */
export async function findChromium(onNotice: (line: string) => void): Promise<string> {
  return (
    process.env.WDS_TEST_CHROMIUM ||
    (installed() ??
      (await installWithApt({
        title: 'Chromium',
        packageName: withoutWindows,
        megabytes: 100,
        setting: 'WDS_TEST_CHROMIUM',
        onNotice,
        find: installed,
      })))
  )
}

function installed(): string | undefined {
  return programOnPath(names) ?? macPaths.find(isProgram)
}
