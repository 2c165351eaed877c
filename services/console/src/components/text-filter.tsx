// A filter that is typed and matches whole values only, so it applies with Enter or when the field is left, not with each letter.
import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'

interface TextFilterProps {
  label: string
  placeholder: string
  maxLength: number
  /** As it is applied; '': it is not. */
  value: string
  onChange: (value: string) => void
}

export function TextFilter({ label, placeholder, maxLength, value, onChange }: TextFilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = () => text.trim() !== value && onChange(text.trim())
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      autoComplete="off"
      data-search
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
      onBlur={apply}
    />
  )
}
