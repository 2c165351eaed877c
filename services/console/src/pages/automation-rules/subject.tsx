// What a rule fired for: what has a page leads there, a brand is named.
import { useBrandNames } from '../../brand-names.ts'
import { IdText } from '../../components/id-text.tsx'
import { RouteLink } from '../../components/route-link.tsx'
import { ruleTexts as words } from '../../texts/automation-rules.ts'

export function Subject({ type, id }: { type: string; id: string }) {
  const brands = useBrandNames()
  if (type === 'workspace') return words.workspace
  if (type === 'brand') return brands.get(id) ?? id
  if (type === 'integration') return <RouteLink to={`integrations/${id}`}>{id}</RouteLink>
  if (type === 'campaign') return <RouteLink to={`campaigns/${id}`}>{id}</RouteLink>
  if (type === 'sub_affiliate') return <RouteLink to={`sub-affiliates/${id}`}>{id}</RouteLink>
  return <IdText id={id} what={words.subjectOf} />
}
