// What is asked before an invoice is generated, noted as sent, or ended.
import type { ReactNode } from 'react'
import type { Schemas } from '../../api.ts'
import { Notice } from '../../components/notice.tsx'
import { Radio } from '../../components/radio.ts'
import { Text } from '../../components/text.ts'
import { useRead } from '../../queries.ts'
import { invoiceTexts as words } from '../../texts/invoices.ts'

export type Channel = keyof typeof words.channels
const channels = Object.keys(words.channels) as Channel[]

export function PlainText({ children }: { children: ReactNode }) {
  return <Text size="sm">{children}</Text>
}

/** An issuer that is missing then is missing for good. */
export function AboutGenerate() {
  const { data } = useRead('/v1/settings', {})
  const settings: Schemas['WorkspaceSettings'] | undefined = data
  return (
    <>
      <PlainText>{words.generateText}</PlainText>
      {settings?.issuer === null && <Notice look="warning">{words.noIssuerYet}</Notice>}
    </>
  )
}

export function ChooseChannel({ channel, onChange }: { channel: Channel; onChange: (channel: Channel) => void }) {
  return (
    <>
      <PlainText>{words.sendText}</PlainText>
      <Radio.Group label={words.channel} value={channel} onChange={(value) => onChange(value as Channel)}>
        {channels.map((one) => (
          <Radio key={one} value={one} label={words.channels[one]} mt="xs" />
        ))}
      </Radio.Group>
    </>
  )
}
