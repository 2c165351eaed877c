/** Loaded before a service: what `/etc/resolv.conf` says on its machine, from `INCIDENT_NAME_SERVER`. */
import { promises } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

const address = process.env.INCIDENT_NAME_SERVER
if (address) {
  promises.Resolver = class extends promises.Resolver {
    constructor(options?: ConstructorParameters<typeof promises.Resolver>[0]) {
      super(options)
      this.setServers([address as string])
    }
  }
  syncBuiltinESMExports()
}
