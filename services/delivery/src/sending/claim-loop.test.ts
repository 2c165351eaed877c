// In which order a worker's claims serve slow lanes and the others (decision 126).
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { createProgress } from '@wds/telemetry/progress'
import { createClaimLoop } from './claim-loop.ts'
import type { AttemptUnderWay } from './domain/fair-share.ts'
import type { ClaimedAttempt, ClaimInput } from './ports.ts'
import { defaultSenderSettings } from './sender-settings.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** Attempts of one workspace that hang, so many that it has nothing left of the slow share. */
function hangingAttempts(): Map<string, AttemptUnderWay> {
  const one = { workspaceId: 'wsp_hangs', startedMs: performance.now() - 5_000, slow: false, spare: false }
  return new Map(Array.from({ length: 16 }, (_, nth) => [`hangs ${nth}`, { ...one, subscriptionId: `whk_${nth}` }]))
}

/** The claims of a loop for which there is always work, each of which takes so long: what each left to the workspace whose attempts hang. */
async function claimsOf(o: { count: number; tookMs: number }): Promise<number[]> {
  const left: number[] = []
  const claim = async ({ share, busy }: ClaimInput): Promise<ClaimedAttempt[]> => {
    left.push(share - (busy.find(({ workspaceId }) => workspaceId === 'wsp_hangs')?.used ?? 0))
    await sleep(o.tookMs)
    return [{} as ClaimedAttempt]
  }
  const loop = createClaimLoop({
    store: { claim, nextDueInMs: async () => 0 },
    settings: defaultSenderSettings,
    logger: quiet,
    underWay: hangingAttempts(),
    loop: createProgress().loop('send-claim'),
    isStopping: () => left.length >= o.count,
    start: () => undefined,
  })
  await loop.run()
  return left
}

test('regression: where claims are slow, too, those that leave slow lanes out take turns with those that serve them, where a workspace with endpoints that hang had got nothing for its others for as long as another one had work', async () => {
  expect(await claimsOf({ count: 6, tookMs: 60 })).toEqual([0, 64, 0, 64, 0, 64])
})
