// Writes every generated file; with `--check` it only compares and exits 1 when one differs. Nothing else is written.
import { readFile, writeFile } from 'node:fs/promises'
import { dashboardFiles } from '../dashboards/dashboards.ts'
import { pagesWithFiles } from '../pages/include-files.ts'
import { alertRules } from './alert-rules.ts'
import { configurationPage, envExample } from './configuration.ts'
import { edgeRoutes } from './edge-routes.ts'
import { faultsPage } from './faults.ts'
import { metricsPage, readMetrics } from './metrics.ts'
import { postmanCollection } from './postman.ts'
import { readPrograms } from './programs.ts'
import { publicOpenApi, services } from './public-openapi.ts'
import { pythonClient } from './python-client.ts'
import { clientTypes, serviceTypes } from './service-types.ts'
import { settingsPaths } from './settings-paths.ts'

const root = new URL('../../../../', import.meta.url)
const programs = await readPrograms(root)
const publicDocument = publicOpenApi(root)
const verifyInPython = await readFile(new URL('packages/docs/snippets/verify-signature/verify.py', root), 'utf8')
const files: Record<string, string> = {
  ...dashboardFiles,
  ...pagesWithFiles(root),
  'deploy/compose/edge/routes.conf': await edgeRoutes(root),
  'deploy/compose/monitoring/alerts.generated.yaml': alertRules(root),
  'packages/docs/reference/configuration.md': configurationPage(programs),
  'packages/docs/reference/faults.md': await faultsPage(root),
  'packages/docs/reference/metrics.md': metricsPage(await readMetrics(root)),
  '.env.example': envExample(programs),
  'services/api/openapi.generated.json': publicDocument,
  'packages/api-client/src/openapi.generated.ts': await clientTypes(JSON.parse(publicDocument)),
  'packages/api-client/src/settings-paths.generated.ts': settingsPaths(JSON.parse(publicDocument)),
  'packages/docs/reference/postman-collection.json': postmanCollection(JSON.parse(publicDocument)),
  ...pythonClient(JSON.parse(publicDocument), verifyInPython),
}
for (const service of services) {
  files[`services/${service}/src/openapi.generated.ts`] = await serviceTypes(root, service)
}

for (const [path, wanted] of Object.entries(files)) {
  const file = new URL(path, root)
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present === wanted) console.log(`${path} is up to date`)
  else if (process.argv.includes('--check')) {
    console.error(`${path} differs from its sources: run \`npm run generate\``)
    process.exitCode = 1
  } else {
    await writeFile(file, wanted)
    console.log(`${path} written`)
  }
}
