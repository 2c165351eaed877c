// Sends the call that a reader puts together, with their own key, to the origin of this page. It stores nothing: no cookie, no storage, no address.
const byId = (id) => document.getElementById(id)
const main = document.querySelector('main')
const [key, operation, parameters, content, body, send] = [
  'key',
  'operation',
  'parameters',
  'content',
  'body',
  'send',
].map(byId)
const [told, status, text] = ['told', 'status', 'text'].map(byId)

/** Of an answer so much is shown. */
const shownMax = 200_000

const calls = await (await fetch(main.dataset.calls)).json()
byId('origin').textContent = location.origin
for (const group of new Set(calls.map((call) => call.group))) {
  const names = document.createElement('optgroup')
  names.label = group
  calls.forEach((call, nth) => {
    if (call.group === group) names.append(new Option(`${call.method} ${call.path} (${call.name})`, String(nth)))
  })
  operation.append(names)
}
byId('call').hidden = false
showCall()

operation.addEventListener('change', showCall)
send.addEventListener('click', sendCall)
// Whoever comes back to the page by the browser finds no key in it.
addEventListener('pagehide', () => {
  key.value = ''
  text.value = ''
})

function showCall() {
  const call = calls[operation.value]
  told.textContent = call.scope === '' ? '' : `Scope: ${call.scope}`
  const fields = [
    ...call.variables.map((name) => ['path', name, true]),
    ...call.query.map(({ name, isNeeded }) => ['query', name, isNeeded]),
    ...call.headers.map((name) => ['header', name, false]),
  ]
  parameters.replaceChildren(...fields.flatMap(([kind, name, isNeeded]) => fieldOf(kind, name, isNeeded)))
  content.hidden = call.body === null
  body.value = call.body?.text ?? ''
}

function fieldOf(kind, name, isNeeded) {
  const field = document.createElement('input')
  Object.assign(field, { id: `${kind} ${name}`.replaceAll(/\W/g, '-'), autocomplete: 'off', spellcheck: false })
  Object.assign(field.dataset, { kind, name })
  field.required = isNeeded
  const label = document.createElement('label')
  label.htmlFor = field.id
  label.textContent = `${name}${isNeeded ? '' : ' (may be left out)'}`
  return [label, field]
}

const valuesOf = (kind) =>
  [...parameters.querySelectorAll('input')]
    .filter((field) => field.dataset.kind === kind && field.value !== '')
    .map((field) => [field.dataset.name, field.value])

async function sendCall() {
  if (send.getAttribute('aria-disabled') === 'true') return
  const missing = [...parameters.querySelectorAll('input[required]')].find((field) => field.value === '')
  if (missing !== undefined) {
    say(`${missing.dataset.name} is needed.`)
    missing.focus()
    return
  }
  send.setAttribute('aria-disabled', 'true')
  say('Sent. Waiting for the answer.')
  try {
    await show(await fetch(...requestOf(calls[operation.value])))
  } catch (error) {
    say(`No answer: ${error.message}`)
  }
  send.removeAttribute('aria-disabled')
}

function requestOf(call) {
  const given = Object.fromEntries(valuesOf('path'))
  const path = call.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(given[name]))
  const headers = new Headers(valuesOf('header'))
  if (key.value !== '') headers.set('authorization', `Bearer ${key.value.trim()}`)
  if (call.method === 'POST' && !headers.has('idempotency-key'))
    headers.set(
      'idempotency-key',
      `"${[...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16)).join('')}"`,
    )
  if (call.body !== null) headers.set('content-type', call.body.type)
  const query = valuesOf('query').map((pair) => pair.map(encodeURIComponent).join('='))
  const options = { method: call.method, headers, credentials: 'omit', cache: 'no-store', redirect: 'error' }
  if (call.body !== null) options.body = body.value
  return [`${path}${query.length === 0 ? '' : `?${query.join('&')}`}`, options]
}

async function show(answer) {
  const type = answer.headers.get('content-type') ?? ''
  const found = await answer.blob()
  say(`${answer.status} ${answer.statusText}`.trim())
  if (!/json|^text\//.test(type)) {
    if (found.size > 0) say(`${answer.status}, ${found.size} bytes of ${type}`)
    return
  }
  const written = await found.text()
  text.value = (/json/.test(type) ? indented(written) : written).slice(0, shownMax)
  text.hidden = written === ''
}

function indented(written) {
  try {
    return JSON.stringify(JSON.parse(written), null, 2)
  } catch {
    return written
  }
}

function say(words) {
  status.textContent = words
  text.hidden = true
  text.value = ''
}
