// The audit log of a workspace.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { meQuery } from '../../app/queries.ts'
import { useOrg } from '../../app/use-role.ts'
import { AuditLog } from '../../settings/AuditLog.tsx'
import { ErrorNote, Page } from '../../ui/index.ts'

const route = getRouteApi('/w/$workspace_id/settings/audit')

export function AuditPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const { error, refetch } = useQuery(meQuery)
  const org = useOrg(workspaceId)
  return (
    <Page title="Audit log of the workspace" tabTitle="Audit log · Settings">
      {org === null && error !== null && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {org !== null && <AuditLog of="workspace" id={workspaceId} orgId={org.id} role={org.role} />}
    </Page>
  )
}
