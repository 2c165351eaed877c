// How far something is, as a bar with its name and number.
import { Progress } from '@mantine/core'

/** `percent` null: not known yet. */
export function ProgressBar({
  percent,
  label,
  isActive,
}: {
  percent: number | null
  label: string
  isActive: boolean
}) {
  return (
    <Progress.Root size="lg" radius="xl">
      <Progress.Section value={percent ?? 0} animated={isActive} striped={isActive} aria-label={label} />
    </Progress.Root>
  )
}
