// The operator's command `rotate-signing-keys`: one step of a rotation. Running processes follow within half a minute.
import { createPool } from '@wds/postgres/pool'
import { readEncryption } from '@wds/service-host/encryption'
import { databaseUrl, secretSettings } from '@wds/service-host/service-settings'
import { defineSettings } from '@wds/settings/settings'
import { type Rotation, rotateSigningKeys } from './store.ts'

const commandSettings = {
  DATABASE_URL: { ...databaseUrl, meaning: 'Postgres, as the role that serves requests.' },
  ...secretSettings,
} as const

/** Resolves with the exit code: 0, or 1 where the next step is not due yet. */
export async function rotateSigningKeysCommand(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const values = defineSettings(commandSettings).parse(env)
  const { envelope } = readEncryption(values)
  const pool = createPool({ connectionString: values.DATABASE_URL, applicationName: 'auth-command', max: 1 })
  try {
    const rotation = await rotateSigningKeys(pool, envelope)
    console.log(sentenceOf(rotation))
    return rotation.did === 'wait' ? 1 : 0
  } finally {
    await pool.end()
  }
}

function sentenceOf(rotation: Rotation): string {
  if (rotation.did === 'wait') {
    return `the next key was published just now; run this again in ${Math.ceil(rotation.ms / 1_000)} s`
  }
  return rotation.did === 'published'
    ? `${rotation.kid} is published; run this again in ten minutes to let it sign`
    : `${rotation.kid} signs from now on; the one before is published for two hours more`
}
