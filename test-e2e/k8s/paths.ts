// The paths of the product, by whom each is answered.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@wds/provision/provision'
import { load } from 'js-yaml'
import type { Upstream } from '../../deploy/standalone/src/router.ts'

const repository = join(import.meta.dirname, '../..')

/** Paths of a service, with a value for each parameter; those of the internal listener have no route. */
export const paths: { service: Upstream; path: string }[] = serviceNames.flatMap((service) =>
  globSync(join(repository, 'services', service, 'src/**/openapi.yaml')).flatMap((file) => {
    const { paths: found = {} } = load(readFileSync(file, 'utf8')) as { paths?: object }
    return Object.keys(found)
      .filter((path) => !path.startsWith('/internal/'))
      .map((path) => ({ service, path: path.replaceAll(/\{[^}]+\}/g, 'x') }))
  }),
)

/** What no openapi.yaml has. */
export const pathsOfNobody: string[] = [
  ...['/', '/w/x/stats', '/assets/x.js', '/sign-in', '/sign-in/assets/x.css', '/sign-out', '/invitations/x'],
  ...['/password/x', '/logos/x', '/oauth/token', '/.well-known/openid-configuration', '/healthz', '/problems/x'],
  ...['/.well-known/oauth-protected-resource', '/v1/nowhere', '/v1/webhooksx', '/sign-inx'],
]
