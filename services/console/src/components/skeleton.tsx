// The place of what is being loaded, in its final size, shown after 200 ms so that quick answers do not flicker (ui.md 6).
import { Skeleton as LibrarySkeleton, Stack } from '@mantine/core'
import { useEffect, useState } from 'react'

const showAfterMs = 200

/** `rows` lines of `height` pixels. */
export function Skeleton({ rows = 5, height = 36 }: { rows?: number; height?: number }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), showAfterMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Stack gap="xs" aria-busy="true" p="md">
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <LibrarySkeleton key={row} height={height} visible={isShown} className={isShown ? '' : 'wds-invisible'} />
      ))}
    </Stack>
  )
}
