// The page that downloads the events of a workspace.
import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { download, saveFile } from '../../api/download.ts'
import { EntryForm } from '../../app/EntryPage.tsx'
import { readText } from '../../app/form-text.ts'
import { useMissingRole } from '../../app/use-role.ts'
import { countOf, formatCount } from '../../format/index.ts'
import styles from '../../settings/settings.module.css'
import { Button, Field, Page } from '../../ui/index.ts'
import { stringifySearch } from '../../window/index.ts'

const route = getRouteApi('/w/$workspace_id/settings/export')

const dayMs = 86_400_000
const mebibyte = 1_048_576
/** The last one is the longest window that the service accepts. */
const windowDays = [1, 7, 30, 90, 400]

export function ExportPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const missingRole = useMissingRole(workspaceId, 'admin')
  const [receivedBytes, setReceivedBytes] = useState(0)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = useMutation({
    mutationFn: async (days: number) => {
      const abort = new AbortController()
      running.current = abort
      setReceivedBytes(0)
      const toMs = Date.now()
      const [from, to] = [toMs - days * dayMs, toMs].map((ms) => new Date(ms).toISOString())
      const path = `/v1/workspaces/${workspaceId}/export${stringifySearch({ from_time: from, to_time: to })}`
      const content = await download(path, { signal: abort.signal, onBytes: setReceivedBytes })
      saveFile(content, `events-${to?.slice(0, 10)}.ndjson`)
    },
  })
  const isCancelled = start.isError && running.current?.signal.aborted === true
  return (
    <Page title="Export the events" tabTitle="Export · Settings">
      <p className={styles.lead}>
        A file with one line of JSON for each event, with the content that is stored. The audit log records the export.
        For large workspaces, use the API, which can resume after a lost connection.
      </p>
      <section className={styles.form}>
        <EntryForm
          submit={{ label: 'Export', sending: 'Exporting…' }}
          error={isCancelled ? null : start.error}
          isSending={start.isPending}
          unavailable={missingRole}
          onSend={(form) => start.mutate(Number(readText(form, 'days')))}
        >
          {() => (
            <Field label="Events of the last">
              {(ids) => (
                <select {...ids} className={styles.select} name="days" defaultValue="7">
                  {windowDays.map((days) => (
                    <option key={days} value={days}>
                      {countOf(days, 'day')}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
        </EntryForm>
        <p role="status">
          {start.isPending && `${formatCount(Math.floor(receivedBytes / mebibyte))} MiB received. Keep this page open.`}
          {isCancelled && 'The export was cancelled.'}
          {start.isSuccess && 'The file was handed to the browser.'}
        </p>
        {start.isPending && (
          <p>
            <Button onClick={() => running.current?.abort()}>Cancel</Button>
          </p>
        )}
      </section>
    </Page>
  )
}
