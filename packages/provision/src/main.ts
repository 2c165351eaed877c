// The operator's first step of an installation (k8s/README.md): roles, schemas, and a folder of secrets.
import { makeSecrets } from './secret-folders.ts'

const usage = `usage: WDS_ADMIN_DATABASE_URL=<postgres://…> [WDS_PODS_DATABASE=<host:port/database?sslmode=…>] provision <folder>

Makes the roles and schemas of all services in that database and, in the folder, one folder per Secret of k8s/ with a file for each key:
  kubectl -n workspace-data create secret generic auth-secrets --from-file=<folder>/auth-secrets
Safe to repeat. WDS_PODS_DATABASE: how pods reach the database, where that differs from how this command does.`

const [folder, ...others] = process.argv.slice(2)
const { WDS_ADMIN_DATABASE_URL: adminUrl, WDS_PODS_DATABASE: pods } = process.env

function addressOf(url: string): string {
  if (pods === undefined) return url
  const { username, password } = new URL(url)
  return `postgresql://${username}:${password}@${pods}`
}

if (folder === undefined || others.length > 0 || folder.startsWith('-') || !adminUrl) {
  process.stderr.write(`${usage}\n`)
  process.exitCode = 2
} else {
  try {
    const made = await makeSecrets({ adminUrl, folder, addressOf })
    process.stdout.write(`${made.map((name) => `${folder}/${name}`).join('\n')}\n`)
  } catch (error) {
    process.stderr.write(`provision: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
