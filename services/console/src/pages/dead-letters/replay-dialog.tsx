// Plan, count, confirm (ui.md 5): what would be sent is counted first, and the button names the number.

import { isProblem } from '@wds/api-client/problem'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../api.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ProblemNote } from '../../components/problem-note.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { type Command, useCommand } from '../../queries.ts'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'
import { typedCount } from '../../view-models/replays.ts'
import { ReplayPlan } from './replay-plan.tsx'

export type DryRun = Schemas['ReplayDryRun']
type Replay = Schemas['Replay']

/** What is to be replayed, and how it is asked for: with `dry_run`, and without. */
export interface ReplayRequest {
  /** Of this request: another one is counted afresh. */
  key: string
  count: () => Promise<DryRun>
  begin: (idempotencyKey: string) => Promise<Replay>
}

export function ReplayDialog({ request, onClose }: { request: ReplayRequest | null; onClose: () => void }) {
  return request === null ? null : <Plan key={request.key} request={request} onClose={onClose} />
}

function Plan({ request, onClose }: { request: ReplayRequest; onClose: () => void }) {
  const openPage = useOpenPage()
  const counting = useResult(request.count)
  const begin = useCommand((_: string, { idempotencyKey }) => request.begin(idempotencyKey), {
    invalidates: ['/v1/replays', '/v1/dead-letters'],
    onDone: ({ id }) => openPage(`replays/${id}`),
  })
  const plan = counting.result
  const error = begin.error ?? counting.command.error
  if (plan === null || plan.matched === 0)
    return (
      <Dialog title={words.planTitle} isOpen onClose={onClose}>
        {error !== null ? (
          <Refused error={error} />
        ) : (
          <Text size="sm">{plan === null ? words.counting : words.nothing}</Text>
        )}
        {plan !== null && <ReplayPlan plan={plan} />}
      </Dialog>
    )
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={words.planTitle}
      action={words.confirm(plan.matched)}
      typed={typedCount(plan.matched)}
      isDangerous={false}
      isRunning={begin.isRunning}
      onConfirm={() => begin.run(request.key)}
    >
      <ReplayPlan plan={plan} />
      {error !== null && <Refused error={error} />}
    </ConfirmDialog>
  )
}

function Refused({ error }: { error: Error }) {
  const running = isProblem(error, 'replay_already_running') ? String(error.document.replay_id ?? '') : ''
  return (
    <ProblemNote error={error} takesFocus>
      {running !== '' && <RouteLink to={`replays/${running}`}>{words.alreadyRunning}</RouteLink>}
    </ProblemNote>
  )
}

/** The answer of a question that is asked once, when the dialog opens. */
function useResult(count: () => Promise<DryRun>): { result: DryRun | null; command: Command<null> } {
  const [result, setResult] = useState<DryRun | null>(null)
  const command = useCommand((_: null) => count(), { onDone: setResult })
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once
  useEffect(() => command.run(null), [])
  return { result, command }
}
