/** What holds behind a fault, whatever it was. */
import { deepEqual, doesNotMatch } from 'node:assert/strict'
import { isAlive } from '@wds/local-infra/process-liveness'
import { serviceNames } from '@wds/provision/provision'
import { breachesOf } from '../checkers/checker.ts'
import type { Write } from './load.ts'
import type { Rig } from './rig.ts'

/**
 * All that was written is delivered, every service lives, and of attempts that were lost or failed, and of those alone, a repetition was
 * seen. Resolves with the history. @throws AssertionError that names what is wrong.
 */
export async function requireWhole(rig: Rig, writes: Write[]): ReturnType<Rig['history']> {
  await rig.drained()
  const history = await rig.history(writes)
  const repeatedMax = history.attempts.filter(({ hasSucceeded }) => !hasSucceeded).length
  const ended = serviceNames.filter((service) => !isAlive(rig.services[service].pid))
  deepEqual({ breaches: breachesOf({ ...history, repeatedMax }), ended }, { breaches: [], ended: [] })
  return history
}

/** A change is written and delivered, then every service ends in order, and none was ended by a fault. @throws AssertionError that names what is wrong. */
export async function requireEndInOrder(rig: Rig): Promise<void> {
  const path = `/v1/integrations/${rig.integrations[0]}`
  deepEqual((await rig.client(path, { method: 'PATCH', json: { name: 'after' } })).status, 200)
  await rig.drained()
  for (const { service, stop, output } of Object.values(rig.services)) {
    deepEqual([service, await stop()], [service, 0])
    doesNotMatch(output(), /a fault that nobody caught/)
  }
}
