import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

const program = fileURLToPath(new URL('./widgets/process-program.ts', import.meta.url))

/** Starts the program; `mode` says how it behaves. */
function start(mode: string) {
  const child = fork(program, [mode], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const output = child.stderr ? once(child.stderr, 'end') : null
  const ended = Promise.all([once(child, 'exit'), output]).then(([[code, signal]]) => ({ code, signal, stderr }))
  return { child, ended, ready: once(child, 'message').then(([message]) => message) }
}

describe('a service process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'tells its parent that it is ready, stops on %s and exits with 0',
    async (signal) => {
      const { child, ended, ready } = start('plain')
      expect(await ready).toEqual({ type: 'ready', port: 4711 })
      child.kill(signal)
      expect(await ended).toEqual({ code: 0, signal: null, stderr: 'stopped\n' })
    },
  )

  test('a start that fails is one sentence and exit code 1', async () => {
    expect(await start('broken').ended).toEqual({ code: 1, signal: null, stderr: 'widgets: The port is taken.\n' })
  })

  test('a second signal ends it at once', async () => {
    const { child, ended, ready } = start('stuck')
    await ready
    child.kill('SIGTERM')
    await once(child, 'message')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 1 })
  })

  test('a closed channel ends it within 2 s, even if it does not stop', async () => {
    const { child, ended, ready } = start('stuck')
    await ready
    const started = performance.now()
    child.disconnect()
    expect(await ended).toMatchObject({ code: 1 })
    expect(performance.now() - started).toBeLessThan(4_000)
  })
})
