// Takes the file of a logo and shows what will be made of it: fitted into a square, as it stands on the consent page.
import { Button, FileButton, Group, Input, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { logoFault, logoTypes } from '../view-models/oauth-app-draft.ts'
import { AppLogo } from './app-logo.tsx'
import { Icon } from './icon.tsx'

interface LogoFieldProps {
  label: string
  /** True where a heading says it already. */
  isLabelHidden?: boolean
  hint: string
  choose: string
  file: File | null
  /** Null: the file is none, see the reason. */
  onChange: (file: File | null) => void
  /** What there is until another one is chosen. */
  current?: string | null
  name: string
  error?: string | null
}

/** Address of the file for this page alone; null without a file. */
export function useFileUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (file === null) return setUrl(null)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}

export function LogoField({
  label,
  isLabelHidden = false,
  hint,
  choose,
  file,
  onChange,
  current = null,
  name,
  error = null,
}: LogoFieldProps) {
  const [fault, setFault] = useState<string | null>(null)
  const url = useFileUrl(file)
  const take = (chosen: File | null) => {
    const reason = chosen === null ? null : logoFault(chosen)
    setFault(reason)
    onChange(reason === null ? chosen : null)
  }
  return (
    <Input.Wrapper label={isLabelHidden ? undefined : label} labelElement="div" error={fault ?? error}>
      <Group gap="md" align="center" wrap="nowrap" pb={4}>
        <AppLogo src={url ?? current} name={name} size={96} />
        <Stack gap={6} align="flex-start">
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
          <FileButton onChange={take} accept={logoTypes.join(',')} inputProps={{ 'aria-label': label, tabIndex: -1 }}>
            {(props) => (
              <Button {...props} size="xs" variant="default" leftSection={<Icon name="download" />}>
                {choose}
              </Button>
            )}
          </FileButton>
          {file !== null && (
            <Text size="sm" className="wds-break">
              {file.name}
            </Text>
          )}
        </Stack>
      </Group>
    </Input.Wrapper>
  )
}
