// The pages that the role may open, in groups.
import { Stack, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { entryOf, type NavigationEntry, navigation, rolesFor } from '../navigation.ts'
import { useSession } from '../session.tsx'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { useWorkspacePath } from './route-link.tsx'

const groups = [null, 'data', 'events', 'access', 'workspace'] as const

export function Navigation() {
  const { role } = useSession()
  const pathname = useRouterState({ select: (state) => state.location.pathname })
  const current = entryOf(pathname.split('/').slice(3).join('/'))
  const shown = navigation.filter((entry) => rolesFor(entry.needs).includes(role))
  return (
    <Stack gap="md">
      {groups.map((group) => {
        const entries = shown.filter((entry) => entry.group === group)
        return entries.length === 0 ? null : (
          <div key={group}>
            {group !== null && (
              <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
                {texts.nav.groups[group]}
              </Text>
            )}
            {entries.map((entry) => (
              <Entry key={entry.path} entry={entry} isCurrent={entry === current} />
            ))}
          </div>
        )
      })}
    </Stack>
  )
}

function Entry({ entry, isCurrent }: { entry: NavigationEntry; isCurrent: boolean }) {
  const path = useWorkspacePath(entry.path)
  return (
    <Link
      {...path}
      className="wds-nav-link"
      activeOptions={{ exact: true, includeSearch: false }}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Icon name={entry.icon} size={18} />
      {entry.label}
    </Link>
  )
}
