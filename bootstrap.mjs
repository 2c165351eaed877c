// bootstrap.mjs: runs a command under the project's own Node.js; installs first when node_modules is missing or stale. Node 20: built-ins only.
import { spawn } from 'node:child_process'
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

let child
let ending = false
const end = (signal) => {
  ending = true
  child?.kill(signal)
}
/** Runs it to its end. Resolves with an exit status as a shell gives it. */
const run = (command, args, options) =>
  new Promise((resolve) => {
    child = spawn(command, args, options)
    child.on('error', (error) => fail(error.message, 127))
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  })
// A terminal sends SIGINT and SIGHUP to the child as well: passing them on would look like a second signal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal === 'SIGTERM' || !process.stdin.isTTY) end(signal)
    else ending = true
  })
if (process.env.npm_lifecycle_event) endWithNpm()

const wanted = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
  .reduce((hash, name) => hash.update(read(name)), createHash('sha256').update(process.platform + process.arch))
  .digest('hex')
if (!existsSync(node) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const pnpm = `pnpm@${JSON.parse(read('package.json')).config.pnpm}`
  console.error(`bootstrap: installing Node.js, Postgres and packages with ${pnpm}: once, about 40 s`)
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: windows }
  const status = await run('npx', ['--yes', pnpm, 'install', '--frozen-lockfile'], options)
  if (status !== 0 || ending) fail('the installation did not end well, see above', status || 130)
  if (!existsSync(node)) fail('the node package has no binary: does npm have ignore-scripts set?', 1)
  writeFileSync(stamp, wanted)
}
const [command, ...args] = process.argv.slice(2)
const PATH = [dirname(node), join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
const env = { ...process.env, PATH, WDS_BOOTSTRAP_PID: String(process.pid) }
process.exit(await run(command === 'node' ? node : command, args, { stdio: 'inherit', env }))

/**
 * Ends the command when npm has ended, however. A signal ends npm and the shell that it made, which passes nothing on; after SIGKILL of npm
 * that shell lives on, so its parent counts as well, where the system tells it (Linux; elsewhere the shell gives way to us).
 */
function endWithNpm() {
  const first = startedBy()
  const watch = setInterval(() => {
    if (startedBy() === first) return
    clearInterval(watch)
    end('SIGTERM')
  }, 500)
  watch.unref()
}

function startedBy() {
  const parent = process.ppid
  try {
    if (!readFileSync(`/proc/${parent}/cmdline`, 'utf8').includes('bootstrap.mjs')) return String(parent)
    return `${parent} ${/\) \S (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8'))[1]}`
  } catch {
    return String(parent)
  }
}
