// An instant as people say it; local time and UTC on hover and focus (ui.md 6).
import { Text, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { texts } from '../texts.ts'
import { exactTimes, relativeTime } from '../view-models/relative-time.ts'

const tickMs = 15_000

/** Epoch milliseconds, moving on by itself every 15 s, or every second with `isFast`. */
export function useNow(isFast = false): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isFast ? 1_000 : tickMs)
    return () => clearInterval(timer)
  }, [isFast])
  return now
}

/** `at`: RFC 3339, or null, which is shown as `none`. */
export function RelativeTime({ at, none = texts.time.none }: { at: string | null; none?: string }) {
  const now = useNow()
  if (at === null)
    return (
      <Text span inherit c="dimmed">
        {none}
      </Text>
    )
  const instantMs = Date.parse(at)
  const { local, utc } = exactTimes(instantMs)
  return (
    <Tooltip
      label={
        <>
          {texts.time.local} {local}
          <br />
          {texts.time.utc} {utc}
        </>
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time is to be had by keyboard too */}
      <time dateTime={at} tabIndex={0} className="wds-time">
        {relativeTime(instantMs, now)}
      </time>
    </Tooltip>
  )
}
