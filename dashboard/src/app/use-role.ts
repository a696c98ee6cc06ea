// What the person may do in a workspace. The service decides; this only says so before somebody tries.
import { useQuery } from '@tanstack/react-query'
import type { Org } from '../api/client.ts'
import { meQuery, workspacesQuery } from './queries.ts'

const ranks: readonly Org['role'][] = ['viewer', 'member', 'admin', 'owner']

/** Why the person may not do what takes this role; undefined where they may, or where their role is not known yet. */
export function useMissingRole(workspaceId: string, needed: Org['role']): string | undefined {
  const { data: me } = useQuery(meQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const orgId = workspaces?.find(({ id }) => id === workspaceId)?.org_id
  const role = me?.orgs.find(({ id }) => id === orgId)?.role
  if (role === undefined || ranks.indexOf(role) >= ranks.indexOf(needed)) return undefined
  return `This takes the role ${needed} or above, and yours is ${role}: ask an admin of the organization`
}
