// A new sub-affiliate: invited by a link, which is shown once, or there at once.
import { useState } from 'react'
import { api } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Form } from '../../components/form.tsx'
import { announce } from '../../components/live-region.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { useCommand, useList, useRead } from '../../queries.ts'
import { subAffiliateTexts as words } from '../../texts/sub-affiliates.ts'
import { texts } from '../../texts.ts'
import type { Plan } from '../../view-models/commission-plans.ts'
import { stillWrong } from '../../view-models/faults.ts'
import { emptySubAffiliate, newSubAffiliate, subAffiliateFaults } from '../../view-models/sub-affiliates.ts'
import { SubAffiliateFields } from './sub-affiliate-fields.tsx'

export function NewSubAffiliatePage() {
  const list = useList('/v1/commission-plans', { query: { limit: 100 } })
  const settings = useRead('/v1/settings', {})
  return (
    <Page title={words.create} above={<RouteLink to="sub-affiliates">{texts.nav.subAffiliates}</RouteLink>}>
      <Loaded source={{ ...list, data: list.rows }}>
        {([first, ...others]) => (
          <Loaded source={settings}>
            {({ base_currency: currency }) =>
              first === undefined ? <NoPlans /> : <NewSubAffiliate plans={[first, ...others]} currency={currency} />
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function NoPlans() {
  return (
    <Card isPadded={false}>
      <EmptyState icon="percent" title={words.noPlans} text={words.noPlansText}>
        <ButtonLink look="primary" icon="plus" to="commission-plans/new">
          {words.toPlan}
        </ButtonLink>
      </EmptyState>
    </Card>
  )
}

interface NewSubAffiliateProps {
  plans: readonly [Plan, ...Plan[]]
  /** Of the workspace. */
  currency: string
}

function NewSubAffiliate({ plans, currency }: NewSubAffiliateProps) {
  const openPage = useOpenPage()
  const [draft, setDraft] = useState(() => emptySubAffiliate(plans[0].id, currency))
  const [wasTried, setTried] = useState(false)
  const [invited, setInvited] = useState<{ id: string; link: string } | null>(null)
  const open = (id: string) => openPage(`sub-affiliates/${id}`)
  const create = useCommand((body: typeof sent, o) => api.post('/v1/sub-affiliates', { body, ...o }), {
    invalidates: ['/v1/sub-affiliates'],
    onDone: ({ data: { id, invitation_url: link } }) => {
      announce(link === undefined ? words.added : words.invited)
      if (link === undefined) open(id)
      else setInvited({ id, link })
    },
  })
  const sent = newSubAffiliate(draft)
  const faults = subAffiliateFaults(draft)
  const error = stillWrong(create.error, create.sent, sent)
  const save = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) create.run(sent)
  }
  return (
    <>
      <Form
        title={words.subAffiliate}
        onSubmit={save}
        submit={draft.joining === 'invite' ? words.invite : words.add}
        isRunning={create.isRunning}
        error={error}
        beside={<CurlView method="post" path="/v1/sub-affiliates" body={sent} />}
      >
        <SubAffiliateFields
          draft={draft}
          onChange={setDraft}
          plans={plans}
          faults={wasTried ? faults : {}}
          error={error}
        />
      </Form>
      <SecretOnce
        secret={invited?.link ?? null}
        title={words.linkTitle}
        what={words.link}
        onDone={() => invited !== null && open(invited.id)}
      />
    </>
  )
}
