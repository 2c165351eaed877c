// One of a few words, such as a reason.
import { Radio } from '@mantine/core'

interface ChooseOneProps<Value extends string> {
  label: string
  /** Each value with its words. */
  words: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

export function ChooseOne<Value extends string>({ label, words, value, onChange }: ChooseOneProps<Value>) {
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Value)}>
      {(Object.keys(words) as Value[]).map((one) => (
        <Radio key={one} value={one} label={words[one]} mt="xs" />
      ))}
    </Radio.Group>
  )
}
