// The labels of `target_info`. An operator names resource attributes freely (OTEL_RESOURCE_ATTRIBUTES), and Prometheus refuses a whole scrape
// for one label that is no name, or that is there twice.

/** Values by names that Prometheus takes. Keys that become one name have their values joined, as OpenTelemetry's rules for Prometheus say. */
export function targetLabels(attributes: Readonly<Record<string, unknown>>): Record<string, string> {
  const labels = new Map<string, string>()
  for (const key of Object.keys(attributes).sort()) {
    const name = nameOf(key)
    const value = textOf(attributes[key])
    const before = labels.get(name)
    labels.set(name, before === undefined ? value : `${before};${value}`)
  }
  return Object.fromEntries(labels)
}

/** One underscore for what no name may have, so that none begins with the two of names that are kept by Prometheus. */
function nameOf(key: string): string {
  const name = key.replaceAll(/[^A-Za-z0-9]+/g, '_')
  return /^(?:[0-9]|$)/.test(name) ? `key_${name}` : name
}

/** Without NUL, which ends the text for the reader. */
function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replaceAll('\0', '')
}
