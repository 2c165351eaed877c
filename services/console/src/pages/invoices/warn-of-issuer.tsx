// An issuer that is missing when an invoice is generated is missing for good.
import { Notice } from '../../components/notice.tsx'
import { useRead } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'

export function WarnOfIssuer() {
  const { data: settings } = useRead('/v1/settings', {})
  return settings?.issuer === null && <Notice look="warning">{words.noIssuerYet}</Notice>
}
