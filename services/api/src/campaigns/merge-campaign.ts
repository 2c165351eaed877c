// Merges a campaign into another one of its integration (domain.md 3.4, decision 82): its rows count for that one from then on, wherever
// they are read. No row changes.
import { executeOrFail, type Loaded, load } from '@wds/aggregate/aggregate'
import { change } from '@wds/aggregate/resource'
import { Problem, problemOfFaults } from '@wds/http-service/problem'
import type { Handle } from '@wds/http-service/route'
import type { Transaction } from '@wds/postgres/transaction'
import { lockMerges, mergedInto } from '../campaign-places/store-merged.ts'
import type { operations } from '../openapi.generated.ts'
import type { CampaignState } from './domain/campaign.ts'
import { campaigns } from './resource.ts'

/** Campaigns that one may have taken up: each of them is told when it is merged itself. */
export const mergedMax = 100

/** One merge of a workspace at a time, before any row is locked: two that lead to each other would wait for each other. */
const inTurn = { ...campaigns, lockFirst: (tx: Transaction) => lockMerges(tx) }

export const mergeCampaign: Handle<operations['mergeCampaign']> = (request) => {
  return change(
    request,
    inTurn,
    async (tx, found) => {
      const { into } = request.body
      if (found.state.status !== 'archived') await judgeTarget(tx, found, into)
      return { type: 'merge', into }
    },
    {
      async after(tx, { id }) {
        const { into } = request.body
        for (const merged of await mergedInto(tx, id)) {
          const loaded = await load(tx, campaigns, merged, { lock: true })
          if (loaded === null) throw new Error(`no campaign ${merged}`)
          await executeOrFail(tx, campaigns, { context: request.context, loaded, command: { type: 'follow', into } })
        }
      },
    },
  )
}

/** Throws a Problem where the campaign cannot take it up. It stays as it is until the transaction ends. */
async function judgeTarget(tx: Transaction, { id, state }: Loaded<CampaignState>, into: string): Promise<void> {
  const refuse = (detail: string) => problemOfFaults([{ pointer: '/into', code: 'invalid_value', detail }])
  if (into === id) throw refuse('A campaign is not merged into itself.')
  const target = await load(tx, campaigns, into, { lock: true })
  if (target === null) throw refuse('No campaign has this id.')
  if (target.state.fields?.integration_id !== state.fields?.integration_id)
    throw refuse('It belongs to another integration.')
  if (target.state.status === 'archived') throw refuse('It is archived.')
  const taken = 1 + (await mergedInto(tx, id)).length + (await mergedInto(tx, into)).length
  if (taken > mergedMax)
    throw new Problem('limit_reached', {
      detail: `A campaign takes up ${mergedMax} others at most, theirs among them.`,
    })
}
