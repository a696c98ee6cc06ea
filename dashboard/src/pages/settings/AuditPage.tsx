// The audit log of a workspace.
import { getRouteApi } from '@tanstack/react-router'
import { useOrg } from '../../app/use-role.ts'
import { AuditLog } from '../../settings/AuditLog.tsx'
import { Page } from '../../ui/index.ts'

const route = getRouteApi('/w/$workspace_id/settings/audit')

export function AuditPage() {
  const { workspace_id: workspaceId } = route.useParams()
  const org = useOrg(workspaceId)
  return (
    <Page title="Audit log" tabTitle="Audit log · Settings">
      {org !== null && <AuditLog of="workspace" id={workspaceId} orgId={org.id} role={org.role} />}
    </Page>
  )
}
