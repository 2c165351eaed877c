// The three states of what is asked for: being loaded, refused, there. Data that are there stay while newer ones fail.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { exactTimes } from '../view-models/relative-time.ts'
import { ProblemNote } from './problem-note.tsx'
import { Skeleton } from './skeleton.tsx'

interface Source<T> {
  data: T | undefined
  error: Error | null
  asOfMs: number
  refetch(): void
}

/** `rows`: of the skeleton. */
export function Loaded<T>({
  source,
  rows = 5,
  children,
}: {
  source: Source<T>
  rows?: number
  children: (data: T) => ReactNode
}) {
  const { data, error, asOfMs, refetch } = source
  if (data === undefined)
    return error === null ? <Skeleton rows={rows} /> : <ProblemNote error={error} onTryAgain={refetch} />
  return (
    <Stack gap="md">
      {error !== null && (
        <ProblemNote error={error} onTryAgain={refetch}>
          <Text size="sm">{texts.list.asOf(exactTimes(asOfMs).local)}</Text>
        </ProblemNote>
      )}
      {children(data)}
    </Stack>
  )
}
