// Writes paths and queries as the API reads them (api-conventions.md 7).

/** What `fetch` takes for a step up, or for no step at all: the call would go to another path. */
const isStep = (text: string) => /^\.{1,2}$/.test(text)

/** `/v1/webhooks/{id}` with its parameters filled in. Throws RangeError where one is missing, or can be none. */
export function fillIn(template: string, parameters: Record<string, unknown> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name]
    if (typeof value !== 'string' || value === '' || isStep(value)) throw new RangeError(`${template} needs ${name}`)
    return encodeURIComponent(value)
  })
}

/** `?a=1&b=x,y`, or '' without a value. Lists are separated by commas, one within a value by `\,` (C06); undefined is left out. */
export function queryText(parameters: Record<string, unknown> = {}): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(valueText(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function valueText(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.map((one) => String(one).replaceAll(/[\\,]/g, '\\$&')).join(',')
}
