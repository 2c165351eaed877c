// Reads who this app is: what the sample data of `npm start` registered.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loopbackHosts } from '@wds/loopback-server/loopback-server'

export interface Registration {
  /** Address of the REST API, from which the rest is discovered. */
  api: string
  client_id: string
  client_secret: string
  redirect_url: string
}

/** One sentence for whoever started it. */
export class RegistrationError extends Error {}

/** @throws RegistrationError when there is none, or it is of no app on this machine. */
export function readRegistration(folder: string): Registration {
  const file = join(folder, 'sample-app.json')
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new RegistrationError(
      `there is no registration at ${file}: run npm start first, whose first start makes one (a data folder of an earlier version has none: npm start -- --fresh)`,
    )
  }
  const found = JSON.parse(text) as Registration
  if (!loopbackHosts.includes(new URL(found.redirect_url).hostname))
    throw new RegistrationError(`the redirect URL of ${file} is not on this machine`)
  return found
}
