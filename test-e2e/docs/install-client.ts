/** Makes packages as they are published, for the blocks that install them: what a registry would hand out. */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackage } from '../../packages/api-client/src/build-package.ts'
import { root } from '../harness/standalone.ts'

/** Writes the tarball of the client for Node.js to `folder`, and names it. */
export function packNodeClient(folder: string): string {
  const built = join(root, 'packages/api-client/dist', `test-${process.pid}`)
  try {
    buildPackage(built)
    const told = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built, encoding: 'utf8' })
    return join(folder, JSON.parse(told)[0].filename)
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

/** Writes the wheel of the client for Python to `folder`, and names it. */
export function packPythonClient(folder: string): string {
  // A build writes into its sources.
  const sources = join(folder, 'python-client')
  cpSync(join(root, 'packages/python-client'), sources, { recursive: true })
  const args = [
    '-m',
    'pip',
    'wheel',
    '--quiet',
    '--no-deps',
    '--no-build-isolation',
    '--no-index',
    '--wheel-dir',
    folder,
  ]
  execFileSync('python3', [...args, sources], { env: { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1' } })
  return join(folder, readdirSync(folder).find((file) => file.endsWith('.whl')) ?? 'no wheel')
}
