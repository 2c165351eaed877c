// The pill that holds back new rows until they are asked for.
import { Center, Button as LibraryButton } from '@mantine/core'
import { useEffect } from 'react'
import { texts } from '../texts.ts'
import { Icon } from './icon.tsx'
import { announce } from './live-region.tsx'

/** `count`: 0 shows nothing. */
export function NewRows({ count, onShow }: { count: number; onShow: () => void }) {
  const text = texts.list.newOnes(count)
  useEffect(() => {
    if (count > 0) announce(texts.list.newOnes(count))
  }, [count])
  if (count === 0) return null
  return (
    <Center p="xs">
      <LibraryButton size="xs" radius="xl" variant="light" leftSection={<Icon name="refresh" />} onClick={onShow}>
        {text}
      </LibraryButton>
    </Center>
  )
}
