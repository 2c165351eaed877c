// Serves every state of the pages as the services serve their own: through the HTTP kit, with their headers and their stylesheet.
import { sendPage } from '@wds/html-pages/send-page'
import type { Mount } from '@wds/http-service/mount'
import { send } from '@wds/http-service/respond'
import { invitationAssets } from '../../services/api/src/sub-affiliates/invitation-document.ts'
import { type AuthService, startAuth } from '../../services/auth/src/auth-service.fixture.ts'
import { assetMounts } from '../../services/auth/src/pages/frame.ts'
import { makeLogo } from './logo.ts'
import { states } from './states.ts'

const logo = makeLogo()

const mounts: Mount[] = [
  ...assetMounts,
  ...invitationAssets,
  {
    path: '/states/{name}',
    methods: ['GET'],
    quota: 'own',
    handle: async (_request, _response, exchange) =>
      sendPage(exchange, { status: 200, html: states[exchange.params.name ?? ''] ?? '' }),
  },
  {
    path: '/logos/{name}',
    methods: ['GET'],
    quota: 'own',
    handle: async (_request, response, exchange) => {
      response.setHeader('Content-Type', 'image/png')
      send(exchange, 200, logo)
    },
  },
]

/** A state stands at `{url}/states/{name}`. */
export function startGallery(): Promise<AuthService> {
  return startAuth({ mounts })
}
