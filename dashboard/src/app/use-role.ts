// What the person may do in a workspace. The service decides; this only says so before somebody tries.
import { useQuery } from '@tanstack/react-query'
import type { Org } from '../api/client.ts'
import { meQuery, workspacesQuery } from './queries.ts'
import { explainMissing, type Role } from './roles.ts'

/** The organization of a workspace, with the role of the person in it; null while it is not known. */
export function useOrg(workspaceId: string): Org | null {
  const { data: me } = useQuery(meQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const orgId = workspaces?.find(({ id }) => id === workspaceId)?.org_id
  return me?.orgs.find(({ id }) => id === orgId) ?? null
}

/** Why the person may not do what takes this role; undefined where they may, or where their role is not known yet. */
export const useMissingRole = (workspaceId: string, needed: Role): string | undefined =>
  explainMissing(useOrg(workspaceId)?.role, needed)
