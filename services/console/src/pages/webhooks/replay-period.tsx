// The way to replay a period of a subscription; its dialog is loaded when it is opened.
import { lazy, Suspense, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { deadLetterTexts as words } from '../../texts/dead-letters.ts'

const ReplayPeriodDialog = lazy(async () => ({
  default: (await import('./replay-period-dialog.tsx')).ReplayPeriodDialog,
}))

/** `since`: RFC 3339, where the period begins unless the person says otherwise; null: a day ago. */
export function ReplayPeriod({ webhookId, since = null }: { webhookId: string; since?: string | null }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="repeat" onClick={() => setOpen(true)}>
        {words.periodTitle}
      </Button>
      {isOpen && (
        <Suspense>
          <ReplayPeriodDialog webhookId={webhookId} since={since} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
