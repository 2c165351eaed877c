// Invoices in rows; each opens by its link.
import { useBrandNames } from '../../brand-names.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Group, Stack } from '../../components/layout.ts'
import { RouteLink } from '../../components/route-link.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Text } from '../../components/text.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'
import { texts } from '../../texts.ts'
import { type InvoiceSummary, kindName, nameOf } from '../../view-models/invoices.ts'
import { dayText, moneyText, rangeText } from '../../view-models/numbers.ts'

export function InvoicesTable({ invoices }: { invoices: readonly InvoiceSummary[] }) {
  const brands = useBrandNames()
  const brandOf = ({ brand_slug: slug }: InvoiceSummary) => brands.get(slug) ?? slug
  const columns: Column<InvoiceSummary>[] = [
    {
      title: words.invoice,
      cell: (one) => (
        <Stack gap={2}>
          <RouteLink to={`invoices/${one.id}`}>{nameOf(one, brandOf(one))}</RouteLink>
          <Text size="xs" c="dimmed">
            {kindName(one)}, {brandOf(one)}
          </Text>
        </Stack>
      ),
    },
    { title: words.status, cell: (one) => <InvoiceBadges invoice={one} />, isNarrow: true },
    { title: words.period, cell: ({ period }) => rangeText(period.from, period.to) },
    {
      title: words.due,
      cell: ({ due }) => (due === null ? texts.time.none : dayText(due, 'en-GB', true)),
      isNarrow: true,
    },
    { title: words.total, cell: ({ total, currency }) => moneyText(total, currency), isNumber: true, isNarrow: true },
    {
      title: words.amountDue,
      cell: ({ amount_due: due, currency }) => moneyText(due, currency),
      isNumber: true,
      isNarrow: true,
    },
  ]
  return <DataTable caption={words.caption} columns={columns} rows={invoices} keyOf={({ id }) => id} />
}

export function InvoiceBadges({
  invoice: { status, dispute },
}: {
  invoice: Pick<InvoiceSummary, 'status' | 'dispute'>
}) {
  return (
    <Group gap={4}>
      <StatusBadge status={status} />
      {dispute !== null && <StatusBadge status="disputed" words={words.disputed} />}
    </Group>
  )
}
