// bootstrap.mjs: runs a command under the project's own Node.js; installs first when node_modules is missing or stale. Node 20: built-ins only.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

const root = import.meta.dirname
const windows = process.platform === 'win32'
const node = join(root, 'node_modules/node/bin', windows ? 'node.exe' : 'node')
const stamp = join(root, 'node_modules/.installed')
const read = (name) => readFileSync(join(root, name), 'utf8')
const fail = (reason, status) => {
  console.error(`bootstrap: ${reason}`)
  process.exit(status)
}
const wanted = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
  .reduce((hash, name) => hash.update(read(name)), createHash('sha256').update(process.platform + process.arch))
  .digest('hex')
if (!existsSync(node) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const pnpm = `pnpm@${JSON.parse(read('package.json')).config.pnpm}`
  console.error(`bootstrap: installing with ${pnpm}`)
  const { status } = spawnSync('npx', ['--yes', pnpm, 'install', '--frozen-lockfile'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: windows,
  })
  if (status !== 0) fail('the installation failed, see above', status ?? 1)
  if (!existsSync(node)) fail('the node package has no binary: does npm have ignore-scripts set?', 1)
  writeFileSync(stamp, wanted)
}
const [command, ...args] = process.argv.slice(2)
const PATH = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
const child = spawn(command === 'node' ? node : command, args, { stdio: 'inherit', env: { ...process.env, PATH } })
// A terminal sends SIGINT and SIGHUP to the child as well: passing them on would look like a second signal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill(signal)
  })
child.on('error', (error) => fail(error.message, 127))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
