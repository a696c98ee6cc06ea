// What the person may do in a workspace. The service decides; this only says so before somebody tries.
import { useQuery } from '@tanstack/react-query'
import type { Org } from '../api/client.ts'
import { meQuery, workspacesQuery } from './queries.ts'

export type Role = Org['role']

/** Each may do what those before it may. */
export const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** The organization of a workspace, with the role of the person in it; null while it is not known. */
export function useOrg(workspaceId: string): Org | null {
  const { data: me } = useQuery(meQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const orgId = workspaces?.find(({ id }) => id === workspaceId)?.org_id
  return me?.orgs.find(({ id }) => id === orgId) ?? null
}

/** Why the person may not do what takes this role; undefined where they may, or where their role is not known yet. */
export function useMissingRole(workspaceId: string, needed: Role): string | undefined {
  const role = useOrg(workspaceId)?.role
  if (role === undefined || ranks.indexOf(role) >= ranks.indexOf(needed)) return undefined
  return `This takes the role ${needed} or above, and yours is ${role}: ask an admin of the organization`
}
