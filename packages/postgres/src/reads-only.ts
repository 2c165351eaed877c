// Judges by its text whether a statement only reads and waits for nobody. What it does not know it takes for a write.

// Built in, or of the migrations; none of them changes anything.
const harmless = new Set([
  ...[
    'any',
    'all',
    'in',
    'exists',
    'values',
    'and',
    'or',
    'not',
    'as',
    'on',
    'from',
    'select',
    'where',
    'lateral',
    'using',
  ],
  ...[
    'extract',
    'floor',
    'coalesce',
    'count',
    'min',
    'max',
    'sum',
    'greatest',
    'least',
    'to_timestamp',
    'cast',
    'unnest',
  ],
  ...[
    'app_now',
    'now',
    'clock_timestamp',
    'current_setting',
    'pg_backend_pid',
    'row_number',
    'over',
    'array_agg',
    'jsonb_agg',
  ],
])

const known = new Map<string, boolean>()

/** True for a `select` without functions that may have effects and without locks that wait. */
export function readsOnly(text: string): boolean {
  let reads = known.get(text)
  if (reads === undefined) {
    reads = judge(text)
    known.set(text, reads)
  }
  return reads
}

function judge(text: string): boolean {
  // Comments and letters of other alphabets would hide words from what follows.
  if (/--|\/\*|[^\t\n\r -~]/.test(text)) return false
  if (!/^\s*select\b/i.test(text) || /;|\binto\b/i.test(text)) return false
  if (/\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b(?!\s+skip\s+locked)/i.test(text)) return false
  return [...text.matchAll(/([\w".]+)\s*\(/g)].every(([, name = '']) => harmless.has(name.toLowerCase()))
}
