// Buttons that copy the id of a trace, a link to it, or its API request.

import styles from '../../trace/trace.module.css'
import { CopyButton } from '../../ui/index.ts'

export function TraceCopies({ workspaceId, traceId }: { readonly workspaceId: string; readonly traceId: string }) {
  const path = `/v1/workspaces/${workspaceId}/traces/${traceId}?limit=10000`
  return (
    <span className={styles.copies}>
      id <CopyButton label="Copy the trace id" text={traceId} />
      link <CopyButton label="Copy the link" text={`${location.origin}/w/${workspaceId}/traces/${traceId}`} />
      curl
      <CopyButton
        label="Copy the request as curl"
        text={`curl -s "${location.origin}${path}" -H "authorization: Bearer $TRACEWRIGHT_TOKEN"`}
      />
    </span>
  )
}
