// Below the business plan: what apps are, which plan opens them, and what stays possible.
import { Notice } from '../../components/notice.tsx'
import { Text } from '../../components/text.ts'
import { useSession } from '../../session.tsx'
import { oauthAppTexts as words } from '../../texts/oauth-apps.ts'
import { usePlanGate } from './oauth-app.ts'

export function PlanNotice() {
  const { workspace } = useSession()
  if (usePlanGate() === null) return null
  return (
    <Notice title={words.planTitle}>
      <Text size="sm">{words.planText(workspace.plan)}</Text>
    </Notice>
  )
}
