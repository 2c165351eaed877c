// The signed-in person: account, colours, shortcuts, sign-out.
import { Menu, Stack, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { api } from '../api.ts'
import { useSession } from '../session.tsx'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { useShortcutHelp } from './shortcuts.tsx'

async function signOut(): Promise<void> {
  // Where it did not succeed, the page there says who is still signed in, and has a sign-out of its own.
  await api.endSession().catch(() => undefined)
  location.assign('/sign-in')
}

export function AccountMenu() {
  const { user, role } = useSession()
  const openHelp = useShortcutHelp()
  const words = texts.account
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <UnstyledButton className="wds-menu-button" aria-label={words.menu(user.name)}>
          <span className="wds-avatar" aria-hidden="true">
            {[...user.name.trim()][0]?.toUpperCase() ?? '?'}
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={0} px="sm" py="xs">
          <Text size="sm" fw={600} className="wds-break">
            {user.name}
          </Text>
          <Text size="xs" c="dimmed" className="wds-break">
            {user.email} · {texts.role[role]}
          </Text>
        </Stack>
        <Menu.Divider />
        <ColorScheme />
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="user" />} component="a" href="/sign-in">
          {words.account}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="keyboard" />} onClick={openHelp}>
          {words.shortcuts}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="sign-out" />} onClick={() => void signOut()}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const words = texts.account
  const items = [
    ['auto', words.system, 'system'],
    ['light', words.light, 'light'],
    ['dark', words.dark, 'dark'],
  ] as const
  return (
    <>
      <Menu.Label>{words.colors}</Menu.Label>
      {items.map(([value, label, icon]) => (
        <Menu.Item
          key={value}
          role="menuitemradio"
          aria-checked={colorScheme === value}
          closeMenuOnClick={false}
          leftSection={<Icon name={icon} />}
          rightSection={colorScheme === value ? <Icon name="check" /> : null}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  )
}
