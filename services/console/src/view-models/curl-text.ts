// Writes a call as a shell command (ui.md 6): what a button does, for people to do without it.

/** In single quotes, within which a shell changes nothing. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The token stands as `$WDS_TOKEN`; nothing of the session is in it. `body`: as it would be sent. */
export function curlText(o: { method: string; url: string; body?: unknown; ifMatch?: string | null }): string {
  const method = o.method.toUpperCase()
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${shellQuote(o.url)}`,
    `-H "Authorization: Bearer $WDS_TOKEN"`,
  ]
  if (o.ifMatch) lines.push(`-H ${shellQuote(`If-Match: ${o.ifMatch}`)}`)
  if (o.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${shellQuote(JSON.stringify(o.body))}`)
  }
  return lines.join(' \\\n  ')
}
