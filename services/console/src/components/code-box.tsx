// A box for text as it is, which scrolls when it is long.
import type { ReactNode } from 'react'

/** `label`: its name for readers of the screen. */
export function CodeBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too
    <section className="wds-code" tabIndex={0} aria-label={label}>
      <pre>{children}</pre>
    </section>
  )
}
