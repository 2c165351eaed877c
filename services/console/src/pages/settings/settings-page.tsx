// What can be set for the workspace as a whole.
import { Loaded } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { useRead } from '../../queries.ts'
import { texts } from '../../texts.ts'
import { DataForm } from './data-form.tsx'
import { IssuerForm } from './issuer-form.tsx'
import { StrictScopes } from './strict-scopes.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

export function SettingsPage() {
  const workspace = useRead('/v1/workspace', {}, { pace: 'slow' })
  const settings = useRead('/v1/settings', {}, { pace: 'slow' })
  return (
    <Page title={texts.nav.settings}>
      <Loaded source={workspace}>{(data) => <WorkspaceForm workspace={data} etag={workspace.etag} />}</Loaded>
      <Loaded source={settings}>{(data) => <DataForm settings={data} etag={settings.etag} />}</Loaded>
      <Loaded source={settings}>{(data) => <IssuerForm settings={data} etag={settings.etag} />}</Loaded>
      <Loaded source={workspace} rows={2}>
        {(data) => <StrictScopes isOn={data.strict_event_scopes} etag={workspace.etag} />}
      </Loaded>
    </Page>
  )
}
