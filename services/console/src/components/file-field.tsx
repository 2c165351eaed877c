// A field for one file from the person's machine.
import { Input } from '@mantine/core'
import { useId } from 'react'

interface FileFieldProps {
  label: string
  description?: string
  /** Such as `.csv,text/csv`. */
  accept: string
  onChange: (file: File | null) => void
  error?: string | null
}

export function FileField({ label, description, accept, onChange, error = null }: FileFieldProps) {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={label} description={description} error={error}>
      <input
        id={id}
        type="file"
        className="wds-file"
        accept={accept}
        aria-invalid={error === null ? undefined : true}
        onChange={(event) => onChange(event.currentTarget.files?.[0] ?? null)}
      />
    </Input.Wrapper>
  )
}
