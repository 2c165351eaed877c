// Writes log lines: JSON, UTC, one line per record, always redacted, so that no call site can miss it (security.md 3).
// Callers get their own small interface and never the library itself.

import pino from 'pino'
import { redactText, redactValue } from './redaction.ts'
import { type LogDestination, standardOutput } from './turn-lines.ts'

/** Levels in rising order of gravity; `silent` writes nothing. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Writes one line: fields and a message, or a message alone. An error goes into the field `err`. */
export interface WriteLine {
  (fields: object, message: string): void
  (message: string): void
}

/** A logger. `child` gives one whose lines carry further fields, such as `request_id`, `workspace_id` and `trace_id`. */
export interface Logger {
  readonly level: string
  trace: WriteLine
  debug: WriteLine
  info: WriteLine
  warn: WriteLine
  error: WriteLine
  fatal: WriteLine
  child(fields: object): Logger
}

/** Makes the logger of a service. Default level `info`, default destination standard output. */
export function createLogger(o: { service: string; level?: LogLevel; destination?: LogDestination }): Logger {
  const options: pino.LoggerOptions = {
    level: o.level ?? 'info',
    base: { service: o.service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // Errors come redacted already; the library's own serialiser would take the copy for an error of the class Object.
    serializers: { err: (redacted: unknown) => redacted },
  }
  const destination = o.destination ?? standardOutput()
  const write = (line: string) => destination.write(escapeControls(line))
  return wrap(pino(options, { write }), () => destination.flush?.())
}

/**
 * JSON escapes the control characters below U+0020 only. DEL and U+0080 to U+009F act on a terminal too (U+009B begins
 * an escape sequence); they stand inside strings alone, so that their escapes may take their place in the line.
 */
function escapeControls(line: string): string {
  return line.replace(/[\u007f-\u009f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const isGrave: ReadonlySet<LogLevel> = new Set(['warn', 'error', 'fatal'])

function wrap(inner: pino.Logger, flush: () => void): Logger {
  const writer =
    (level: Exclude<LogLevel, 'silent'>): WriteLine =>
    (fieldsOrMessage: object | string, message?: string) => {
      if (!inner.isLevelEnabled(level)) return
      if (typeof fieldsOrMessage === 'string') inner[level](redactedMessage(fieldsOrMessage))
      else inner[level](redactedFields(fieldsOrMessage), redactedMessage(message ?? ''))
      if (isGrave.has(level)) flush()
    }
  return {
    get level() {
      return inner.level
    },
    trace: writer('trace'),
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    fatal: writer('fatal'),
    child: (fields) => wrap(inner.child(redactedFields(fields)), flush),
  }
}

/** Names that the line itself uses; a field of the same name gets an underscore, so that no line has a name twice. */
const taken = new Set(['level', 'time', 'pid', 'service', 'msg'])

function redactedFields(fields: object): Record<string, unknown> {
  const redacted = redactValue(fields instanceof Error ? { err: fields } : fields)
  if (typeof redacted !== 'object' || redacted === null || Array.isArray(redacted)) return { fields: redacted }
  const entries = Object.entries(redacted)
  if (!entries.some(([name]) => taken.has(name))) return redacted as Record<string, unknown>
  return Object.fromEntries(entries.map(([name, value]) => [taken.has(name) ? `${name}_` : name, value]))
}

/** The library fills in `%s` from further arguments, and there are none: a per cent sign stays what it is. */
function redactedMessage(message: string): string {
  return redactText(message)
}
