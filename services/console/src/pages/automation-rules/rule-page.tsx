// One rule: what it does, what it would do now, what it has done; changed, switched and deleted here.

import { api } from '../../api.ts'
import { Card } from '../../components/card.tsx'
import { CurlView } from '../../components/curl-view.tsx'
import { DeleteByName } from '../../components/delete-by-name.tsx'
import { Facts } from '../../components/facts.tsx'
import { EditForm } from '../../components/form.tsx'
import { IdText } from '../../components/id-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { RouteLink, useOpenPage } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { SwitchAction } from '../../components/switch-action.tsx'
import { Text } from '../../components/text.ts'
import { useEdit } from '../../edit.ts'
import { useParam } from '../../page-params.ts'
import { useAllowed } from '../../permissions.ts'
import { useRead } from '../../queries.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'
import { texts } from '../../texts.ts'
import {
  type AutomationRule,
  actionsText,
  conditionText,
  draftOfRule,
  fieldsOfRule,
  reasonText,
  triggerText,
} from '../../view-models/automation-rules.ts'
import { countText } from '../../view-models/numbers.ts'
import { DryRun } from './dry-run.tsx'
import { FiringsCard } from './firings-card.tsx'
import { RuleFields } from './rule-fields.tsx'

const invalidates = ['/v1/automation-rules']

export function AutomationRulePage() {
  const id = useParam('id')
  const reading = useRead('/v1/automation-rules/{id}', { path: { id } }, { pace: 'slow' })
  const { data: rule, etag } = reading
  const canWrite = useAllowed('campaigns:write')
  const about =
    rule === undefined
      ? {}
      : {
          beside: <StatusBadge status={rule.enabled ? 'enabled' : 'disabled'} />,
          actions: canWrite ? <SwitchRule rule={rule} /> : undefined,
        }
  return (
    <Page
      title={rule?.name ?? words.rule}
      above={<RouteLink to="automation-rules">{texts.nav.automationRules}</RouteLink>}
      {...about}
    >
      <Loaded source={reading} rows={8}>
        {(one) => (
          <>
            {one.disabled_reason !== null && (
              <Notice look="warning" title={words.disabledTitle}>
                {reasonText(one.disabled_reason)}
              </Notice>
            )}
            {one.dry_run && <Notice>{words.dry}</Notice>}
            <Card title={words.facts}>
              <Facts facts={factsOf(one)} />
            </Card>
            <DryRun rule={one} />
            <FiringsCard ruleId={one.id} />
            {canWrite ? (
              <>
                <EditRule rule={one} etag={etag} />
                <DeleteRule rule={one} etag={etag} />
              </>
            ) : (
              <Text size="sm" c="dimmed">
                {words.readOnly}
              </Text>
            )}
            <CurlView method="get" path={`/v1/automation-rules/${one.id}`} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function SwitchRule({ rule: { id, enabled } }: { rule: AutomationRule }) {
  return (
    <SwitchAction
      isOn={enabled}
      words={words}
      send={(action, key) => api.post(`/v1/automation-rules/{id}/${action}`, { path: { id }, ...key })}
      invalidates={invalidates}
      isDangerous={false}
    />
  )
}

function factsOf(rule: AutomationRule) {
  const { conditions, window, min_sample: least, scope, principal } = rule
  const only = [scope.brand_slugs, scope.campaign_ids, scope.integration_ids].flatMap((list) => list ?? [])
  const named = Object.entries(least).map(([metric, count]) => `${countText(count)} ${metric}`)
  return [
    { name: words.trigger, value: triggerText(rule) },
    { name: words.subject, value: words.subjects[rule.subject_type] },
    ...(only.length === 0 ? [] : [{ name: words.scope, value: only.join(', ') }]),
    {
      name: words.conditions,
      value:
        conditions.length === 0
          ? words.always
          : conditions.map((one) => <div key={JSON.stringify(one)}>{conditionText(one, window)}</div>),
    },
    ...(named.length === 0 ? [] : [{ name: words.least, value: named.join(', ') }]),
    { name: words.acts, value: actionsText(rule) },
    { name: words.cooldown, value: words.minutes(rule.cooldown_minutes) },
    { name: words.mostADay, value: countText(rule.max_fires_per_day) },
    { name: words.answers, value: words.principals[principal.type] },
    { name: words.changed, value: <RelativeTime at={rule.updated} /> },
    { name: words.id, value: <IdText id={rule.id} what={words.id} isWhole /> },
  ]
}

interface Versioned {
  rule: AutomationRule
  etag: string | null
}

function EditRule({ rule, etag }: Versioned) {
  const form = useEdit({
    resource: rule,
    etag,
    draftOf: draftOfRule,
    fieldsOf: fieldsOfRule,
    send: (body, version) => api.patch('/v1/automation-rules/{id}', { path: { id: rule.id }, body, ...version }),
    invalidates,
    saved: words.saved,
  })
  return (
    <EditForm form={form} title={words.edit} hint={words.editHint}>
      <RuleFields draft={form.draft} onChange={form.setDraft} error={form.error} />
    </EditForm>
  )
}

function DeleteRule({ rule: { id, name }, etag }: Versioned) {
  const openPage = useOpenPage()
  return (
    <DeleteByName
      words={words.deletion}
      name={name}
      etag={etag}
      send={(version) => api.delete('/v1/automation-rules/{id}', { path: { id }, ...version })}
      invalidates={invalidates}
      onDone={() => openPage('automation-rules')}
    >
      {words.deletion.text}
    </DeleteByName>
  )
}
