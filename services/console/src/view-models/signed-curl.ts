// A shell text that sends an event as an attempt did: the same bytes, signed anew with `$WEBHOOK_SECRET` (ui.md 4). The secret stays in the shell.
import { shellQuote } from './curl-text.ts'

/** `body`: as it was sent. `headers`: of the subscription, beside those of every request. */
export function signedCurlText(o: {
  url: string
  eventId: string
  body: string
  headers?: Readonly<Record<string, string>>
}): string {
  const own = Object.entries(o.headers ?? {}).map(([name, value]) => `  -H ${shellQuote(`${name}: ${value}`)} \\`)
  return [
    `BODY=${shellQuote(o.body)}`,
    'NOW=$(date +%s)',
    'SIGNATURE=$(printf \'%s.%s\' "$NOW" "$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" -r | cut -d\' \' -f1)',
    `curl -sS -X POST ${shellQuote(o.url)} \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -H ${shellQuote(`webhook-id: ${o.eventId}`)} \\`,
    '  -H "webhook-timestamp: $NOW" \\',
    '  -H "X-Service-Signature: t=$NOW,v1=$SIGNATURE" \\',
    ...own,
    '  --data-binary "$BODY"',
  ].join('\n')
}
