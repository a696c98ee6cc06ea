// The audit log of an organization and all of its workspaces.
import { AuditLog } from '../../settings/AuditLog.tsx'
import { OrgPage } from './OrgPage.tsx'

export const OrgAuditPage = () => (
  <OrgPage title="Audit log of the organization">
    {(org) => <AuditLog of="org" id={org.id} orgId={org.id} role={org.role} />}
  </OrgPage>
)
