// The workspace of this page, and the way to the person's other ones.
import { Menu, Text, UnstyledButton } from '@mantine/core'
import { switchWorkspace, useSession } from '../session.tsx'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'

export function WorkspaceMenu() {
  const { workspace, workspaces } = useSession()
  const words = texts.workspace
  if (workspaces.length < 2) return <span className="wds-workspace-name">{workspace.name}</span>
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <UnstyledButton className="wds-menu-button wds-shrink" aria-label={words.switch(workspace.name)}>
          <span className="wds-workspace-name">{workspace.name}</span>
          <Icon name="selector" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {workspaces.map((one) => (
          <Menu.Item
            key={one.id}
            leftSection={<Icon name={one.id === workspace.id ? 'check' : 'building'} />}
            onClick={() => one.id !== workspace.id && void switchWorkspace(one)}
          >
            {one.name}
            <Text size="xs" c="dimmed">
              {texts.role[one.role]}, {words.plan(one.plan)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
