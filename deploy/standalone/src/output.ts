/** What a start prints: for people the commands to paste, for programs one JSON line. */
import type { Running } from './supervisor.ts'

export function jsonLine(running: Running): string {
  return JSON.stringify({
    base_url: running.baseUrl,
    auth_url: running.baseUrl,
    api_key: running.sample.apiKey,
    workspace_id: running.sample.workspaceId,
    integration_id: running.sample.integrationId,
    receiver_url: running.receiverUrl,
  })
}

export function welcome(running: Running): string {
  const { baseUrl, receiverUrl, managementPorts, sample } = running
  const management = Object.entries(managementPorts).map(([name, port]) => `${name} ${port}`)
  return `
The Workspace Data Service runs.

  API        ${baseUrl}
  receiver   ${receiverUrl}
  probes     /livez, /readyz at http://127.0.0.1:<port>: ${management.join(', ')}
  workspace  ${sample.workspaceId}
  key        ${sample.apiKey}

Paste into another terminal:

  export BASE=${baseUrl} KEY=${sample.apiKey} RECEIVER=${receiverUrl} INTEGRATION=${sample.integrationId}

  # subscribe the local receiver to what syncs say
  curl -sS $BASE/v1/webhooks -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d "{\\"url\\": \\"$RECEIVER/hooks\\", \\"events\\": [\\"sync.*\\"]}"

  # upload stats
  printf 'date,campaign,country,clicks,ftds,deposits_amount\\n2026-11-01,spring,DE,120,4,310.50\\n2026-11-02,spring,SE,80,1,55.00\\n' | curl -sS "$BASE/v1/imports?type=stats&integration_id=$INTEGRATION" -H "Authorization: Bearer $KEY" -H 'Content-Type: text/csv' --data-binary @-

  # see the signed webhook at the receiver, and the sums
  curl -sS $RECEIVER/received
  curl -gsS "$BASE/v1/stats?from=2026-11-01&to=2026-11-02&metrics=clicks,ftds,deposits_amount&filter[integration]=$INTEGRATION" -H "Authorization: Bearer $KEY"

Ctrl-C stops all of it and keeps the data; npm start -- --fresh begins anew.`
}
