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

/** An organization that the person belongs to; null where they do not, or while that is not known. */
export function useOrgById(orgId: string): Org | null {
  const { data: me } = useQuery(meQuery)
  return me?.orgs.find(({ id }) => id === orgId) ?? null
}

/** Why the person may not do what takes this role; undefined where they may, or where their role is not known yet. */
export const useMissingRole = (workspaceId: string, needed: Role): string | undefined =>
  explainMissing(useOrg(workspaceId)?.role, needed)

/** As `useMissingRole`, of a role that is known. */
export function explainMissing(role: Role | undefined, needed: Role): string | undefined {
  if (role === undefined || ranks.indexOf(role) >= ranks.indexOf(needed)) return undefined
  const above = needed === 'owner' ? '' : ' or above'
  const whom = needed === 'owner' ? 'an owner' : 'an admin'
  return `This takes the role ${needed}${above}, and yours is ${role}: ask ${whom} of the organization`
}
