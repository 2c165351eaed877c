// A few numbers beside each other, each with its name.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

export function Numbers({ numbers }: { numbers: readonly { name: string; value: ReactNode; isBad?: boolean }[] }) {
  return (
    <dl className="wds-numbers">
      {numbers.map(({ name, value, isBad = false }) => (
        <div key={name}>
          <dt>
            <Text size="sm" c="dimmed" span>
              {name}
            </Text>
          </dt>
          <dd className={isBad ? 'wds-number wds-bad' : 'wds-number'}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
