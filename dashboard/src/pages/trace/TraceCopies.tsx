// Buttons that copy the id of a trace, a link to it, or its API request.
import { useSearch } from '@tanstack/react-router'
import styles from '../../trace/trace.module.css'
import { CopyButton } from '../../ui/index.ts'
import { type Search, stringifySearch } from '../../window/index.ts'

/** The parameters that say what of the trace is shown. */
const viewNames = ['view', 'span']

export function TraceCopies({ workspaceId, traceId }: { readonly workspaceId: string; readonly traceId: string }) {
  const search: Search = useSearch({ strict: false })
  const shown = Object.fromEntries(viewNames.map((name) => [name, search[name]]))
  const page = `${location.origin}/w/${workspaceId}/traces/${traceId}${stringifySearch(shown)}`
  const path = `/v1/workspaces/${workspaceId}/traces/${traceId}?limit=10000`
  return (
    <span className={styles.copies}>
      <CopyButton label="Copy the trace id" text={traceId} word="id" />
      <CopyButton label="Copy the link" text={page} word="link" />
      <CopyButton
        label="Copy the request as curl"
        word="curl"
        text={`curl -s "${location.origin}${path}" -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`}
      />
    </span>
  )
}
