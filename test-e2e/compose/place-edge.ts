// The front door of deploy/compose on this machine: its files, at other ports and in another folder.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder as composeFolder } from './project.ts'

/** The files of the front door in a folder; `tls`: where its certificate lies; `addresses`: in place of the names of containers. */
export function placeEdge(folder: string, o: { tls: string; port: number; addresses: string }): void {
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  const text = readFileSync(join(composeFolder, 'edge/nginx.conf'), 'utf8')
    .replace('listen 8443 ssl', `listen 127.0.0.1:${o.port} ssl`)
    .replace('    listen 443 ssl;\n', '')
    .replaceAll('/tmp/', `${folder}/tmp/`)
  writeFileSync(join(folder, 'nginx.conf'), text)
  cpSync(join(composeFolder, 'edge/routes.conf'), join(folder, 'routes.conf'))
  writeFileSync(join(folder, 'addresses.conf'), o.addresses)
  cpSync(o.tls, join(folder, 'tls'), { recursive: true })
}

/** What nginx is started with for that folder. */
export function edgeArguments(folder: string): string[] {
  const directives = `daemon off;${process.getuid?.() === 0 ? ' user root;' : ''}`
  return ['-e', 'stderr', '-c', join(folder, 'nginx.conf'), '-g', directives]
}
