// A button that asks before it acts. The question comes behind the page, so that no page waits for it.
import { lazy, Suspense, useEffect, useState } from 'react'
import type { AskFirstProps } from './ask-first.tsx'
import { Button } from './button.tsx'
import type { IconName } from './icon.tsx'

const load = () => import('./ask-first.tsx')
const AskFirst = lazy(async () => ({ default: (await load()).AskFirst })) as typeof import('./ask-first.tsx').AskFirst

interface AskButtonProps<Body, Output> extends Omit<AskFirstProps<Body, Output>, 'onClose'> {
  look?: 'primary' | 'quiet'
  icon?: IconName
  /** A sentence: why it cannot be used now. */
  disabledBecause?: string | null
}

export function AskButton<Body, Output>({ look, icon, disabledBecause, ...o }: AskButtonProps<Body, Output>) {
  const [isAsking, setAsking] = useState(false)
  // What fails here is asked for again by the click.
  useEffect(() => void load().catch(() => undefined), [])
  return (
    <>
      <Button look={look} icon={icon} disabledBecause={disabledBecause} onClick={() => setAsking(true)}>
        {o.action}
      </Button>
      {isAsking && (
        <Suspense>
          <AskFirst {...o} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
