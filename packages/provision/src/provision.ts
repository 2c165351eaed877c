// Decides which roles and schemas exist and what each role may do before any migration ran. It never makes a
// superuser or a role that passes row-level security, and it leaves data alone.
import pg from 'pg'

/** Services with a schema and three roles of their own. */
export const serviceNames = ['auth', 'api', 'catalog', 'delivery'] as const

/** One of {@link serviceNames}. */
export type ServiceName = (typeof serviceNames)[number]

/** Connection strings per role. */
export interface ProvisionedUrls {
  log: { owner: string }
  services: Record<ServiceName, { owner: string; http: string; worker: string }>
}

const logOwner = 'wds_log_owner'
const logClient = 'wds_log_client'

/**
 * Makes roles, schemas and rights in the database of `adminUrl`; sets every role's password to `passwordOf(role)`.
 * Safe to repeat and to run in parallel, also for several databases of one cluster. Needs a superuser, or a role with
 * CREATEROLE that owns the database. security.md 4.
 */
export async function provision(options: {
  adminUrl: string
  passwordOf: (role: string) => string
}): Promise<ProvisionedUrls> {
  const unlock = await lockCluster(options.adminUrl)
  try {
    const admin = await connect(options.adminUrl)
    try {
      await admin.query(`begin; ${await statements(admin, options.passwordOf)}; commit`)
    } finally {
      await admin.end()
    }
  } finally {
    await unlock()
  }
  return urlsOf(options.adminUrl, options.passwordOf)
}

/** Connection strings of a database that was provisioned with the same passwords. Opens no connection. */
export function urlsOf(adminUrl: string, passwordOf: (role: string) => string): ProvisionedUrls {
  const url = (role: string) => {
    const result = new URL(adminUrl)
    result.username = role
    result.password = encodeURIComponent(passwordOf(role))
    return result.href
  }
  const services = Object.fromEntries(
    serviceNames.map((name) => [
      name,
      { owner: url(`wds_${name}_owner`), http: url(`wds_${name}`), worker: url(`wds_${name}_worker`) },
    ]),
  )
  return { log: { owner: url(logOwner) }, services: services as ProvisionedUrls['services'] }
}

async function statements(admin: pg.Client, passwordOf: (role: string) => string): Promise<string> {
  const { rows } = await admin.query(
    `select current_database() as database, current_user as "user", r.rolsuper as superuser,
       array(select rolname::text from pg_roles where starts_with(rolname, 'wds_')) as roles
     from pg_roles r where r.rolname = current_user`,
  )
  const { database, user, superuser, roles } = rows[0] as {
    database: string
    user: string
    superuser: boolean
    roles: string[]
  }
  const found = new Set(roles)
  const id = pg.escapeIdentifier
  const logins = [logOwner, ...serviceNames.flatMap((name) => rolesOf(name))]
  const attributes = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls'
  const lines = [
    // Only a superuser may name these two attributes of an existing role, not even to take them away.
    `${found.has(logClient) ? 'alter' : 'create'} role ${logClient} nologin ${superuser ? attributes : ''}`,
    ...logins.map(
      (role) =>
        `${found.has(role) ? 'alter' : 'create'} role ${role} login ${superuser ? attributes : ''} ` +
        `password ${pg.escapeLiteral(passwordOf(role))}`,
    ),
    // Without this an admin who is no superuser could not give the schemas to their owners.
    ...(superuser
      ? []
      : logins.filter((role) => role.endsWith('_owner')).map((role) => `grant ${role} to ${id(user)}`)),
    'revoke all on schema public from public',
    `revoke all on database ${id(database)} from public`,
    `grant connect on database ${id(database)} to ${logins.join(', ')}`,
    ...schemaStatements('log', logOwner, [logClient]),
    `alter role ${logOwner} in database ${id(database)} set search_path = log`,
    ...serviceNames.flatMap((name) => serviceStatements(name, id(database))),
  ]
  return lines.join(';\n')
}

function rolesOf(name: ServiceName): string[] {
  return [`wds_${name}_owner`, `wds_${name}`, `wds_${name}_worker`]
}

function serviceStatements(name: ServiceName, database: string): string[] {
  const [owner = '', http = '', worker = ''] = rolesOf(name)
  return [
    ...schemaStatements(name, owner, [http, worker]),
    `grant ${logClient} to ${worker}`,
    ...[owner, http, worker].map((role) => `alter role ${role} in database ${database} set search_path = ${name}`),
  ]
}

function schemaStatements(schema: string, owner: string, users: string[]): string[] {
  return [
    `create schema if not exists ${schema} authorization ${owner}`,
    `alter schema ${schema} owner to ${owner}`,
    `revoke all on schema ${schema} from public`,
    `grant usage on schema ${schema} to ${users.join(', ')}`,
  ]
}

/** Roles belong to the cluster while advisory locks belong to a database: all runners lock in the one named postgres. */
async function lockCluster(adminUrl: string): Promise<() => Promise<void>> {
  const url = new URL(adminUrl)
  url.pathname = '/postgres'
  const client = await connect(url.href).catch(async (error: unknown) => {
    // Some providers have no such database; then runners of this database at least wait for one another.
    if (error instanceof pg.DatabaseError && ['3D000', '42501', '28000'].includes(error.code ?? '')) {
      return await connect(adminUrl)
    }
    throw error
  })
  // A runner that is cut off without the server's notice keeps the lock for 20 s, as one of migrations does.
  await client.query('set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2')
  await client.query("select pg_advisory_lock(hashtextextended('provision', 0))")
  return () => client.end()
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, application_name: 'provision', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
