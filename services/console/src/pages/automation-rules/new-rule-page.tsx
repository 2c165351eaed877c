// A new automation rule.
import { useState } from 'react'
import { api } from '../../api.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { Form } from '../../components/form.tsx'
import { announce } from '../../components/live-region.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { useCommand } from '../../queries.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import { texts } from '../../texts.ts'
import { emptyRuleDraft, fieldsOfRule, type NewRule } from '../../view-models/automation-rules.ts'
import { stillWrong } from '../../view-models/faults.ts'
import { RuleFields } from './rule-fields.tsx'

export function NewAutomationRulePage() {
  const openPage = useOpenPage()
  const [draft, setDraft] = useState(emptyRuleDraft)
  const create = useCommand(
    (body: NewRule, { idempotencyKey }) => api.post('/v1/automation-rules', { body, idempotencyKey }),
    {
      invalidates: ['/v1/automation-rules'],
      onDone: ({ data }) => {
        announce(words.saved)
        openPage(`automation-rules/${data.id}`)
      },
    },
  )
  const body = { ...fieldsOfRule(draft), enabled: true }
  const error = stillWrong(create.error, create.sent, body)
  return (
    <Page title={words.create} above={<RouteLink to="automation-rules">{texts.nav.automationRules}</RouteLink>}>
      <Form
        title={words.facts}
        hint={`${words.editHint} ${words.startsEnabled}`}
        onSubmit={() => create.run(body)}
        submit={words.save}
        isRunning={create.isRunning}
        error={error}
        beside={<CurlView method="post" path="/v1/automation-rules" body={body} />}
      >
        <RuleFields draft={draft} onChange={setDraft} error={error} />
      </Form>
    </Page>
  )
}
