// The empty state of a workspace without rules: it has no traces either, or rules have still to be created.
import { NoDecisions } from '../../decisions/NoDecisions.tsx'
import { LastSeen } from '../../list/LastSeen.tsx'
import { NothingStored } from '../../list/NothingStored.tsx'

export const NothingProposed = ({ workspaceId }: { readonly workspaceId: string }) => (
  <LastSeen workspaceId={workspaceId}>
    {(newest) => (newest === null ? <NothingStored>Rules are proposed from traces.</NothingStored> : <NoDecisions />)}
  </LastSeen>
)
