// One commission plan: its terms, which never change, and who earns by it from which day on.

import { api } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextInput } from '../../components/fields.ts'
import { EditForm } from '../../components/form.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { Text } from '../../components/text.ts'
import { useEdit } from '../../edit.ts'
import { useParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { planTexts as words } from '../../texts/commission-plans.ts'
import { texts } from '../../texts.ts'
import { type Plan, termsText, tierRows } from '../../view-models/commission-plans.ts'
import { faultOf } from '../../view-models/faults.ts'
import { moneyText } from '../../view-models/numbers.ts'
import { SubAffiliatesOfPlan } from './sub-affiliates-of-plan.tsx'

export function CommissionPlanPage() {
  const id = useParam('id')
  const reading = useRead('/v1/commission-plans/{id}', { path: { id } }, { pace: 'slow' })
  const canWrite = useAllowed('invoices:write')
  const copy = (
    <ButtonLink icon="copy" to={`commission-plans/new?from=${id}`}>
      {words.copy}
    </ButtonLink>
  )
  return (
    <Page
      title={reading.data?.name ?? words.plan}
      above={<RouteLink to="commission-plans">{texts.nav.commissionPlans}</RouteLink>}
      actions={canWrite ? copy : undefined}
    >
      <Loaded source={reading} rows={8}>
        {(plan) => (
          <>
            <Card title={words.facts}>
              <Facts facts={factsOf(plan)} />
            </Card>
            {plan.tiers.length > 0 && <Tiers tiers={plan.tiers} />}
            <SubAffiliatesOfPlan id={plan.id} />
            {canWrite ? (
              <Rename plan={plan} etag={reading.etag} />
            ) : (
              <Text size="sm" c="dimmed">
                {words.readOnly}
              </Text>
            )}
            <CurlView method="get" path={`/v1/commission-plans/${plan.id}`} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function factsOf(plan: Plan) {
  const { id, type, cap, negative_carryover: isCarriedOver, created } = plan
  return [
    { name: words.type, value: words.types[type] },
    { name: words.terms, value: termsText(plan) },
    { name: words.cap, value: cap === null ? words.noCap : moneyText(cap.amount, cap.currency) },
    { name: words.carryover, value: isCarriedOver ? words.carriedOver : words.floored },
    { name: words.created, value: <RelativeTime at={created} /> },
    { name: words.id, value: <IdText id={id} what={words.id} isWhole /> },
  ]
}

const tierColumns: readonly Column<ReturnType<typeof tierRows>[number]>[] = [
  { title: words.ftds, cell: ({ ftds }) => ftds },
  { title: words.share, cell: ({ share }) => share, isNumber: true },
]

function Tiers({ tiers }: { tiers: Plan['tiers'] }) {
  return (
    <Card title={words.tiers} hint={words.tiersHint} isPadded={false}>
      <DataTable caption={words.tiers} columns={tierColumns} rows={tierRows(tiers)} keyOf={({ ftds }) => ftds} />
    </Card>
  )
}

function Rename({ plan, etag }: { plan: Plan; etag: string | null }) {
  const { id } = plan
  const form = useEdit({
    resource: plan,
    etag,
    draftOf: ({ name }: Plan) => ({ name }),
    fieldsOf: ({ name }) => ({ name: name.trim() }),
    send: (body, version) => api.patch('/v1/commission-plans/{id}', { path: { id }, body, ...version }),
    invalidates: ['/v1/commission-plans'],
    saved: words.saved,
  })
  return (
    <EditForm
      form={form}
      title={words.rename}
      hint={words.renameHint}
      beside={<CurlView method="patch" path={`/v1/commission-plans/${id}`} body={form.patch} ifMatch={etag} />}
    >
      <TextInput
        label={words.name}
        required
        maxLength={100}
        autoComplete="off"
        value={form.draft.name}
        error={faultOf(form.error, '/name')}
        onChange={(event) => form.set({ name: event.currentTarget.value })}
      />
    </EditForm>
  )
}
