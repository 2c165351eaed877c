// The end of an app, with the grants that end with it.
import { api } from '../../api.ts'
import { DeleteByName } from '../../components/delete-by-name.tsx'
import { useOpenPage } from '../../components/route-link.tsx'
import { useRead } from '../../queries.ts'
import { oauthAppTexts } from '../../texts/oauth-apps.ts'
import { texts } from '../../texts.ts'
import type { OAuthApp } from './oauth-app.ts'

const words = oauthAppTexts.deletion

export function DeleteApp({ app: { id, name }, etag }: { app: OAuthApp; etag: string | null }) {
  const openPage = useOpenPage()
  return (
    <DeleteByName
      words={{ ...words, question: words.questionOf(name) }}
      name={name}
      etag={etag}
      send={(version) => api.delete('/v1/oauth-apps/{id}', { path: { id }, ...version })}
      invalidates={['/v1/oauth-apps']}
      onDone={() => openPage('oauth-apps')}
    >
      <EndingGrants appId={id} />
    </DeleteByName>
  )
}

function EndingGrants({ appId }: { appId: string }) {
  const { data } = useRead('/v1/oauth-apps/usage', { query: { app_id: [appId] } })
  return data === undefined ? texts.list.loading : words.text(data.data[0]?.grants ?? 0)
}
