import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

const program = fileURLToPath(new URL('./fixtures/process-program.ts', import.meta.url))

/** Starts the program; `mode` says how it behaves. */
function start(mode: string) {
  const child = fork(program, [mode], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  let stdout = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  const output = [child.stderr, child.stdout].map((stream) => (stream ? once(stream, 'end') : null))
  const exit = once(child, 'exit')
  const ended = Promise.all(output)
    .then(() => exit)
    .then(([code, signal]) => ({ code, signal, stderr }))
  return { child, ended, stdout: () => stdout, ready: once(child, 'message').then(([message]) => message) }
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
    child.disconnect()
    expect(await ended).toMatchObject({ code: 1, stderr: 'widgets: did not stop within 2000 ms.\n' })
  })

  test.each(['leaky', 'leaky-start', 'leaky-stop'])('%s: a fault shows no secret on either output', async (mode) => {
    const { child, ended, stdout } = start(mode)
    if (mode === 'leaky-stop') {
      await once(child, 'message')
      child.kill('SIGTERM')
    }
    const { code, stderr } = await ended
    expect(code).toBe(1)
    const told = stderr + stdout()
    expect(told).toContain('no answer from postgres://')
    expect(told).not.toContain('hunter2')
    if (mode === 'leaky') {
      expect(stderr).toBe('')
      expect(JSON.parse(stdout())).toMatchObject({
        level: 'fatal',
        service: 'widgets',
        err: { message: expect.any(String) },
      })
    }
  })
})
