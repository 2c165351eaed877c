// A new commission plan, from nothing or from the terms of another one.
import { useState } from 'react'
import { api, type Schemas } from '../../api.ts'
import { CurlView } from '../../components/curl-view.tsx'
import { Form } from '../../components/form.tsx'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { useFilters } from '../../filters.ts'
import { useCommand, useRead } from '../../queries.ts'
import { planTexts as words } from '../../texts/commission-plans.ts'
import { texts } from '../../texts.ts'
import { draftOfPlan, emptyPlanDraft, newPlan, type PlanDraft, planFaults } from '../../view-models/commission-plans.ts'
import { stillWrong } from '../../view-models/faults.ts'
import { upTo } from '../../view-models/filters.ts'
import { PlanFields } from './plan-fields.tsx'

const rules = { from: upTo(40) }

export function NewCommissionPlanPage() {
  const settings = useRead('/v1/settings', {})
  const { from } = useFilters(rules).values
  return (
    <Page title={words.createTitle} above={<RouteLink to="commission-plans">{texts.nav.commissionPlans}</RouteLink>}>
      <Loaded source={settings}>
        {({ base_currency: currency }) =>
          from === undefined ? <NewPlan first={emptyPlanDraft(currency)} /> : <Copied id={from} currency={currency} />
        }
      </Loaded>
    </Page>
  )
}

function Copied({ id, currency }: { id: string; currency: string }) {
  const reading = useRead('/v1/commission-plans/{id}', { path: { id } })
  return <Loaded source={reading}>{(plan) => <NewPlan first={draftOfPlan(plan, currency)} />}</Loaded>
}

function NewPlan({ first }: { first: PlanDraft }) {
  const openPage = useOpenPage()
  const [draft, setDraft] = useState(first)
  const [wasTried, setTried] = useState(false)
  const create = useCommand(
    (body: Schemas['NewCommissionPlan'], o) => api.post('/v1/commission-plans', { body, ...o }),
    {
      invalidates: ['/v1/commission-plans'],
      onDone: ({ data }) => {
        announce(words.made)
        openPage(`commission-plans/${data.id}`)
      },
    },
  )
  const faults = planFaults(draft)
  const body = newPlan(draft)
  const error = stillWrong(create.error, create.sent, body)
  const save = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) create.run(body)
  }
  return (
    <Form
      title={words.about}
      hint={words.createHint}
      onSubmit={save}
      submit={words.save}
      isRunning={create.isRunning}
      error={error}
      beside={<CurlView method="post" path="/v1/commission-plans" body={body} />}
    >
      <PlanFields draft={draft} onChange={setDraft} faults={wasTried ? faults : {}} error={error} />
    </Form>
  )
}
