/** Runs the stack, and answers the commands of the other terminal. */
import { randomInt } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answers } from './answers.ts'
import { openDesk } from './desk.ts'
import { incidents } from './incidents.ts'
import { startIncidentRig } from './rig.ts'

/** Another order at every start, so that nobody knows a number. */
function shuffled<T>(list: readonly T[]): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(randomInt(rest.length), 1)[0] as T)
}

/** Until it is told to stop, is interrupted, or so many minutes are over. `addressFile`: where the other commands find it. */
export async function playIncidents({ minutes, addressFile }: { minutes: number; addressFile: string }): Promise<void> {
  process.stdout.write('starting, which takes a minute or two\n')
  const rig = await startIncidentRig({ minutes })
  const desk = openDesk(rig)
  const order = shuffled(incidents)
  const played: { last: { title: string; name: string; heal(): Promise<unknown>; since: number } | null } = {
    last: null,
  }
  const { promise: over, resolve: end } = Promise.withResolvers<void>()

  async function answer(words: string[]): Promise<string> {
    const [command] = words
    if (command === 'stop') return 'stopping'
    if (command === 'heal') {
      if (played.last === null) return 'no incident was begun'
      await played.last.heal()
      return `incident ${played.last.title} is over; wait until no alert fires before you begin another`
    }
    if (command === 'reveal') {
      if (played.last === null) return 'no incident was begun'
      const { title, name, since } = played.last
      const fired = Object.fromEntries(rig.prometheus.firedSince(since))
      return JSON.stringify({ incident: title, name, ...answers[name], fired }, null, 1)
    }
    const chosen = order[Number(command) - 1] ?? incidents.find(({ name }) => name === command)
    if (chosen === undefined) return desk(words)
    await played.last?.heal()
    const since = Math.floor(Date.now() / 1_000)
    let healed: Promise<unknown> | undefined
    const mend = await chosen.inject(rig)
    const heal = () => (healed ??= mend())
    played.last = { title: command as string, name: chosen.name, heal, since }
    return answers[chosen.name]?.ticket ?? 'it has begun: the first alert comes within four minutes'
  }

  const server = createServer(async (request, response) => {
    try {
      const words: string[] = JSON.parse(await text(request))
      // It ends once it has said so: the end cuts connections.
      response.end(await answer(words), () => words[0] === 'stop' && end())
    } catch (error) {
      response.statusCode = 500
      response.end((error as Error).message)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  writeFileSync(addressFile, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, { mode: 0o600 })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const timer = setTimeout(end, minutes * 60_000)
  process.stdout.write(
    [
      'ready',
      `Prometheus  ${rig.prometheus.url} (waiting times of the alerts are a twentieth)`,
      `API         ${rig.url}`,
      ...rig.workspaces.map(({ name, apiKey, workspaceId }) => `key         ${apiKey} of ${name}, ${workspaceId}`),
      `logs        ${rig.stack.folder}/<deployment>.log`,
      `runbook     packages/docs/runbook/README.md`,
      '',
    ].join('\n'),
  )
  await over
  clearTimeout(timer)
  rmSync(addressFile, { force: true })
  server.close()
  server.closeAllConnections()
  await played.last?.heal().catch(() => undefined)
  await rig.stop()
}
