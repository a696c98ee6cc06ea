// The empty state of a workspace without rules: it explains how rules are created.

import { useParams } from '@tanstack/react-router'
import { useLastSeen } from '../list/NoRows.tsx'
import { NothingStored } from '../list/NothingStored.tsx'
import { CopyLine, Empty } from '../ui/index.ts'
import { attestCode } from './attest-code.ts'

export function NoDecisions() {
  const { workspace_id: workspaceId = '' } = useParams({ strict: false })
  const newest = useLastSeen(workspaceId)
  if (newest === undefined) return null
  if (newest === null) return <NothingStored>Rules are proposed from traces.</NothingStored>
  return (
    <Empty action={<CopyLine text={attestCode()} label="Attesting a tool" />}>
      There is no rule yet. Rules are proposed for tools that you attest: you say that their result depends only on
      their input, and the service proves it on your traffic before anything is served.
    </Empty>
  )
}
