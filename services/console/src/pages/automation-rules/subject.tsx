// What a rule fired for, by its name: what has a page leads there.
import { useBrandNames } from '../../brand-names.ts'
import { IdText } from '../../components/id-text.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { useList } from '../../queries.ts'
import { useSubAffiliateNames } from '../../sub-affiliate-names.ts'
import { ruleTexts as words } from '../../texts/automation-rules.ts'

export function Subject({ type, id }: { type: string; id: string }) {
  const brands = useBrandNames()
  if (type === 'workspace') return words.workspace
  if (type === 'brand') return brands.get(id) ?? id
  if (type === 'integration') return <Integration id={id} />
  if (type === 'campaign') return <Campaign id={id} />
  if (type === 'sub_affiliate') return <SubAffiliate id={id} />
  return <IdText id={id} what={words.subjectOf} />
}

interface Named {
  id: string
}

/** Of the newest 100; another one stands for itself, as all do until the names are there. */
const nameIn = (rows: readonly { id: string; name: string }[] | undefined, id: string) =>
  rows?.find((one) => one.id === id)?.name ?? id

function Integration({ id }: Named) {
  const { rows } = useList('/v1/integrations', { query: { limit: 100 } })
  return <RouteLink to={`integrations/${id}`}>{nameIn(rows, id)}</RouteLink>
}

function Campaign({ id }: Named) {
  const { rows } = useList('/v1/campaigns', { query: { limit: 100 } })
  return <RouteLink to={`campaigns/${id}`}>{nameIn(rows, id)}</RouteLink>
}

function SubAffiliate({ id }: Named) {
  return <RouteLink to={`sub-affiliates/${id}`}>{useSubAffiliateNames().get(id) ?? id}</RouteLink>
}
