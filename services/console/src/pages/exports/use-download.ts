// Fetches the file of an export and hands it to the browser.
import { api, type Schemas } from '../../api.ts'
import { saveFile } from '../../components/save-file.ts'
import { useCommand } from '../../queries.ts'
import { fileNameOf } from '../../view-models/stats-export.ts'

/** 256 MiB over a line of 4 Mbit/s. */
const timeoutMs = 600_000

export function useDownload() {
  return useCommand(
    (made: Schemas['Export']) => api.get('/v1/exports/{id}/file', { path: { id: made.id }, timeoutMs }),
    {
      onDone: ({ data }, made) => saveFile(data, fileNameOf(made)),
    },
  )
}
