// What the signed-in person may do in a workspace.
import { useQuery } from '@tanstack/react-query'
import type { Org } from '../api/client.ts'
import { meQuery, workspacesQuery } from './queries.ts'

export type Role = Org['role']

const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export type RoleInOrg = {
  readonly orgId: string | null
  /** Null until it is known. */
  readonly role: Role | null
  /** True as well while the role is not known: the service decides anyway. */
  readonly isAtLeast: (wanted: Role) => boolean
}

export function useRole(workspaceId: string): RoleInOrg {
  const { data: workspaces } = useQuery(workspacesQuery)
  const { data: me } = useQuery(meQuery)
  const orgId = workspaces?.find(({ id }) => id === workspaceId)?.org_id ?? null
  const role = me?.orgs.find(({ id }) => id === orgId)?.role ?? null
  return {
    orgId,
    role,
    isAtLeast: (wanted) => role === null || roles.indexOf(role) >= roles.indexOf(wanted),
  }
}
