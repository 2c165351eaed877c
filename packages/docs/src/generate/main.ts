// Writes every generated file; with `--check` it only compares and exits 1 when one differs. Nothing else is written.
import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardFiles } from '../dashboards/dashboards.ts'
import { pagesWithDiagrams, pagesWithFiles } from '../pages/include-files.ts'
import { alertRules } from './alert-rules.ts'
import { cliPage } from './cli-page.ts'
import { configurationPage, envExample } from './configuration.ts'
import { dependenciesPage } from './dependencies-page.ts'
import { edgeRoutes } from './edge-routes.ts'
import { errorPages } from './error-pages.ts'
import { eventLogDocument } from './event-log.ts'
import { eventPages } from './event-pages.ts'
import { faultsPage } from './faults.ts'
import { limitsPage } from './limits-page.ts'
import { metricsPage, readMetrics } from './metrics.ts'
import { postmanCollection } from './postman.ts'
import { readPrograms } from './programs.ts'
import { publicOpenApi, servicesOf } from './public-openapi.ts'
import { pythonClient } from './python-client.ts'
import { routePages } from './route-page.ts'
import { clientTypes, serviceTypes } from './service-types.ts'
import { settingsPaths } from './settings-paths.ts'

const root = new URL('../../../../', import.meta.url)
const programs = await readPrograms(root)
const publicDocument = publicOpenApi(root)
const verifyInPython = await readFile(new URL('packages/docs/snippets/verify-signature/verify.py', root), 'utf8')
const files: Record<string, string> = {
  ...dashboardFiles,
  ...pagesWithFiles(root),
  ...pagesWithDiagrams(root),
  ...errorPages(),
  ...eventPages(),
  ...routePages(JSON.parse(publicDocument)),
  'deploy/compose/edge/routes.conf': await edgeRoutes(root),
  'deploy/compose/monitoring/alerts.generated.yaml': alertRules(root),
  'packages/docs/reference/configuration.md': configurationPage(programs),
  'packages/docs/reference/dependencies.md': dependenciesPage(root),
  'packages/docs/reference/cli.md': await cliPage(root),
  'packages/docs/reference/limits.md': await limitsPage(root, programs),
  'packages/event-log/asyncapi.generated.json': eventLogDocument(root, JSON.parse(publicDocument)),
  'packages/docs/reference/faults.md': await faultsPage(root),
  'packages/docs/reference/metrics.md': metricsPage(await readMetrics(root)),
  '.env.example': envExample(programs),
  'services/api/openapi.generated.json': publicDocument,
  'packages/api-client/src/openapi.generated.ts': await clientTypes(JSON.parse(publicDocument)),
  'packages/api-client/src/settings-paths.generated.ts': settingsPaths(JSON.parse(publicDocument)),
  'packages/docs/reference/postman-collection.json': postmanCollection(JSON.parse(publicDocument)),
  ...pythonClient(JSON.parse(publicDocument), verifyInPython),
}
for (const service of servicesOf(root)) {
  files[`services/${service}/src/openapi.generated.ts`] = await serviceTypes(root, service)
}

// A page of what is no more.
const kept = globSync('packages/docs/reference/{errors,events}/*.md', { cwd: fileURLToPath(root) })
for (const path of kept.filter((one) => files[one.split(sep).join('/')] === undefined)) {
  if (process.argv.includes('--check')) {
    console.error(`${path} is of nothing that exists: run \`npm run generate\``)
    process.exitCode = 1
  } else await rm(new URL(path, root))
}

for (const [path, wanted] of Object.entries(files)) {
  const file = new URL(path, root)
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present === wanted) console.log(`${path} is up to date`)
  else if (process.argv.includes('--check')) {
    console.error(`${path} differs from its sources: run \`npm run generate\``)
    process.exitCode = 1
  } else {
    await mkdir(new URL('.', file), { recursive: true })
    await writeFile(file, wanted)
    console.log(`${path} written`)
  }
}
