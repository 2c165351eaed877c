// What a person would lose now, counted.
import { Stack } from '../../components/layout.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { memberTexts as words } from '../../texts/members.ts'
import { lossLines } from '../../view-models/members.ts'
import type { Member } from './member.ts'

/** `next`: the role instead of the present one; null: removal. `isEnding`: the removal runs, and what is counted may be gone already. */
export function Losses(props: { member: Member; next: Member['role'] | null; isEnding?: boolean }) {
  const { member, next, isEnding = false } = props
  const query = next === null ? {} : { role: next }
  const reading = useRead('/v1/members/{id}/losses', { path: { id: member.id }, query }, { enabled: !isEnding })
  return (
    <Loaded source={reading} rows={1}>
      {(losses) => {
        const lines = lossLines(losses)
        if (lines.length === 0) return <Text size="sm">{words.nothingLost}</Text>
        return (
          <Stack gap={4}>
            <Text size="sm">{words.losesNow}</Text>
            <ul className="wds-faults">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Stack>
        )
      }}
    </Loaded>
  )
}
