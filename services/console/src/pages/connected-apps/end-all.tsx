// Ends every grant that the list shows.
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { announce } from '../../components/live-region.tsx'
import { Text } from '../../components/text.ts'
import { useCommand } from '../../queries.ts'
import { connectedAppTexts as words } from '../../texts/connected-apps.ts'

/** `count`: in words, such as `3 grants`. */
export function EndAll({ count }: { count: string }) {
  const [isAsking, setAsking] = useState(false)
  const end = useCommand((_: null, { idempotencyKey }) => api.post('/v1/connected-apps/end-all', { idempotencyKey }), {
    invalidates: ['/v1/connected-apps', '/v1/oauth-apps'],
    onDone: ({ data }) => {
      setAsking(false)
      announce(words.allEnded(data.ended))
    },
  })
  const close = () => {
    setAsking(false)
    end.reset()
  }
  return (
    <>
      <Button icon="ban" onClick={() => setAsking(true)}>
        {words.endAll}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={close}
        title={words.endAllTitle}
        action={words.endAll}
        typed={words.typed}
        isRunning={end.isRunning}
        error={end.error}
        onConfirm={() => end.run(null)}
      >
        <Text size="sm">{words.endAllText(count)}</Text>
      </ConfirmDialog>
    </>
  )
}
