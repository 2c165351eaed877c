// What went wrong, in the words of the problem document: detail, the code as a link to its page, the request id, and Try again with the
// countdown that the server asked for (ui.md 6).

import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { isProblem } from '@wds/api-client/problem'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { baseUrl } from '../api.ts'
import { signInHref } from '../session.tsx'
import { texts } from '../texts.ts'
import { fieldName } from '../view-models/faults.ts'
import { Icon } from './icon.tsx'
import { IdText } from './id-text.tsx'

interface ProblemNoteProps {
  error: Error
  onTryAgain?: (() => void) | undefined
  /** Further ways out, such as Enable. */
  children?: ReactNode
  /** True: the note takes the focus, as after a form that was refused. */
  takesFocus?: boolean
}

export function ProblemNote({ error, onTryAgain, children, takesFocus = false }: ProblemNoteProps) {
  const note = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) note.current?.focus()
  }, [takesFocus])
  const problem = isProblem(error) ? error : null
  const words = texts.errors
  const { title, detail } = problem ?? ownWords(error)
  const seconds = useCountdown(problem?.retryAfterSeconds ?? 0, error)
  return (
    <Alert
      ref={note}
      tabIndex={-1}
      role="alert"
      color="red"
      variant="light"
      icon={<Icon name="alert" size={18} />}
      title={title}
    >
      <Stack gap="xs">
        <Text size="sm">{detail}</Text>
        {problem !== null && problem.errors.length > 0 && <FaultList faults={problem.errors} />}
        <Group gap="sm">
          {onTryAgain !== undefined && (
            <Button size="xs" variant="default" disabled={seconds > 0} onClick={onTryAgain}>
              {seconds > 0 ? words.tryAgainIn(seconds) : words.tryAgain}
            </Button>
          )}
          {children}
          {problem?.code === 'recent_sign_in_required' && (
            <NewTab href={signInHref({ pathname: '/', search: '' })}>{texts.session.signIn}</NewTab>
          )}
          {problem !== null && problem.code !== 'unexpected_answer' && (
            <NewTab href={`${baseUrl}/problems/${problem.code}`}>{words.about(problem.code)}</NewTab>
          )}
        </Group>
        {problem?.requestId && (
          <Group gap={6}>
            <Text size="xs">{words.requestId}</Text>
            <IdText id={problem.requestId} what={words.requestId} isWhole />
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

function NewTab({ href, children }: { href: string; children: string }) {
  return (
    <Anchor size="sm" underline="always" href={href} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  )
}

/** Of what is no answer of the API. */
function ownWords(error: Error): { title: string; detail: string } {
  const { errors, workspace } = texts
  if (error.name === 'NoAnswer') return { title: errors.noAnswer, detail: errors.noAnswerText }
  if (error.name === 'WritesStopped') return { title: workspace.switched, detail: workspace.switchedText }
  return { title: errors.unexpected, detail: errors.unexpectedText }
}

function FaultList({ faults }: { faults: readonly { pointer?: string; parameter?: string; detail: string }[] }) {
  return (
    <ul className="wds-faults">
      {faults.map((fault) => (
        <li key={`${fault.pointer ?? fault.parameter} ${fault.detail}`}>
          {fault.pointer ? `${fieldName(fault.pointer)}: ` : ''}
          {fault.detail}
        </li>
      ))}
    </ul>
  )
}

/** Seconds that are left; begins anew with each error. */
function useCountdown(fromSeconds: number, error: Error): number {
  const [left, setLeft] = useState(fromSeconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each error has a countdown of its own
  useEffect(() => {
    setLeft(fromSeconds)
    if (fromSeconds === 0) return
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1_000)
    return () => clearInterval(timer)
  }, [fromSeconds, error])
  return left
}
