// Notes above every page: offline, a new sign-in is needed, the workspace was switched in another tab, or could not be in this one. The page below stays as it is.
import { Alert, Group, Button as LibraryButton, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { api, onSessionEnd } from '../api.ts'
import { type FailedSwitch, onFailedSwitch, onWorkspaceSwitch, signInHref, useSession } from '../session.tsx'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { ProblemNote } from './problem-note.tsx'

export function ShellNotes() {
  return (
    <>
      <OfflineNote />
      <SessionEndedNote />
      <SwitchedNote />
      <FailedSwitchNote />
    </>
  )
}

function FailedSwitchNote() {
  const [failed, setFailed] = useState<FailedSwitch>(null)
  useEffect(() => onFailedSwitch(setFailed), [])
  return failed === null ? null : <ProblemNote error={failed.error} onTryAgain={failed.again} takesFocus />
}

function OfflineNote() {
  const [isOnline, setOnline] = useState(() => navigator.onLine)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    for (const type of ['online', 'offline']) addEventListener(type, look)
    return () => {
      for (const type of ['online', 'offline']) removeEventListener(type, look)
    }
  }, [])
  if (isOnline) return null
  return (
    <Alert color="yellow" radius={0} role="status" icon={<Icon name="alert" size={18} />}>
      {texts.offline}
    </Alert>
  )
}

function SessionEndedNote() {
  const session = useSession()
  const [state, setState] = useState<'live' | 'ended' | 'still' | 'other'>('live')
  const words = texts.session
  useEffect(() => onSessionEnd(() => setState((before) => (before === 'live' ? 'ended' : before))), [])
  const goOn = async () => {
    try {
      const { data } = await api.get('/v1/session')
      const isSame = data.user.id === session.user.id && data.workspace.id === session.workspace.id
      if (isSame) api.takeSession(data.csrf_token)
      setState(isSame ? 'live' : 'other')
    } catch {
      setState('still')
    }
  }
  useEffect(() => {
    if (state === 'live') return
    // Back from the sign-in: a dialog may cover the button.
    addEventListener('focus', goOn)
    return () => removeEventListener('focus', goOn)
  })
  if (state === 'live') return null
  return (
    <Alert color="red" radius={0} role="alert" icon={<Icon name="alert" size={18} />} title={words.ended}>
      <Stack gap="xs">
        <Text size="sm">{state === 'other' ? words.other : words.endedText}</Text>
        <Group gap="sm">
          <LibraryButton
            size="xs"
            component="a"
            href={signInHref({ pathname: '/', search: '' })}
            target="_blank"
            rel="noreferrer"
          >
            {words.signIn}
          </LibraryButton>
          <LibraryButton size="xs" variant="default" onClick={() => void goOn()}>
            {words.goOn}
          </LibraryButton>
          {state === 'still' && <Text size="sm">{words.stillEnded}</Text>}
        </Group>
      </Stack>
    </Alert>
  )
}

function SwitchedNote() {
  const { workspace } = useSession()
  const [isSwitched, setSwitched] = useState(false)
  useEffect(
    () =>
      onWorkspaceSwitch(workspace.id, () => {
        api.stopWrites()
        setSwitched(true)
      }),
    [workspace.id],
  )
  if (!isSwitched) return null
  const words = texts.workspace
  return (
    <Alert color="yellow" radius={0} role="alert" icon={<Icon name="alert" size={18} />} title={words.switched}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{words.switchedText}</Text>
        <LibraryButton size="xs" onClick={() => location.reload()}>
          {words.reload}
        </LibraryButton>
      </Stack>
    </Alert>
  )
}
