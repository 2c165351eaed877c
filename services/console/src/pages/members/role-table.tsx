// The roles in words (auth.md 1.2).
import { type Role, roles } from '@wds/contracts/roles'
import { scopeGroups } from '@wds/contracts/scope-words'
import { Card } from '../../components/card.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Icon } from '../../components/icon.tsx'
import { Hidden, Text } from '../../components/text.ts'
import { memberTexts as words } from '../../texts/members.ts'
import { texts } from '../../texts.ts'
import { type RoleRow, roleRows } from '../../view-models/members.ts'

const scopeLines: Record<string, string> = Object.assign({}, ...scopeGroups.map(({ lines }) => lines))

function Verdict({ row, role }: { row: RoleRow; role: Role }) {
  const is = row.allowed.includes(role)
  return (
    <Text span c={is ? 'inherit' : 'dimmed'}>
      {is ? <Icon name="check" /> : '–'}
      <Hidden>{is ? words.yes : words.no}</Hidden>
    </Text>
  )
}

const columns: readonly Column<RoleRow>[] = [
  { title: words.may, cell: ({ key }) => <Text size="sm">{words.rights[key] ?? scopeLines[key]}</Text> },
  ...roles.map((role) => ({
    title: texts.role[role],
    cell: (row: RoleRow) => <Verdict row={row} role={role} />,
    isNarrow: true,
  })),
]

export function RoleTable() {
  return (
    <Card title={words.rolesTitle} isPadded={false}>
      <DataTable caption={words.rolesTitle} columns={columns} rows={roleRows} keyOf={({ key }) => key} />
    </Card>
  )
}
