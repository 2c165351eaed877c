// `npm run sample-app`: an OAuth client that shows the flow in a browser. Ctrl-C ends it and forgets its tokens.
import { join } from 'node:path'
import { LoopbackError, listenOnLoopback } from '@wds/loopback-server/loopback-server'
import { RegistrationError, readRegistration } from './registration.ts'
import { sampleApp } from './server.ts'

const folder = process.env.WDS_DATA_DIR || join(import.meta.dirname, '../../../.data')

try {
  const app = readRegistration(folder)
  const { origin } = new URL(app.redirect_url)
  const server = await listenOnLoopback(new URL(app.redirect_url), sampleApp(app))
  console.log(`The sample app runs: open ${origin}/ in a browser. Ctrl-C ends it.`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      server.close()
      process.exit(0)
    })
} catch (error) {
  const isKnown = error instanceof RegistrationError || error instanceof LoopbackError
  console.error(`the sample app cannot start: ${isKnown ? error.message : (error as Error).stack}`)
  process.exitCode = 1
}
