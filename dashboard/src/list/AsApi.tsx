// "As API": shows the request that returns exactly what a list shows.
import { useState } from 'react'
import { Button, CopyLine, Dialog } from '../ui/index.ts'
import { describeAsCurl } from './as-curl.ts'

type Props = {
  /** The path below the workspace, such as "events". */
  readonly path: string
  readonly workspaceId: string
  readonly query: Readonly<Record<string, string>>
  /** What the page does with the response, if it does more than show it. */
  readonly beyond?: string
}

export function AsApi({ path, workspaceId, query, beyond }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>As API</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="This list as an API request">
        <p>
          This request answers with the rows of this list, from the first one on. <code>next_cursor</code> of the
          answer, where it has one, is the <code>cursor</code> of the next request. <code>TRACEWRIGHT_TOKEN</code> is
          the <code>access_token</code> that <code>POST /v1/auth/login</code> answers with; it is valid for ten minutes.
        </p>
        {beyond === undefined ? null : <p>{beyond}</p>}
        <CopyLine label="The request" text={describeAsCurl(location.origin, workspaceId, path, query)} />
        <Button onClick={() => setOpen(false)}>Close</Button>
      </Dialog>
    </>
  )
}
