// What the user may do in a workspace. The service enforces roles; the dashboard only explains them in advance.
import { useQuery } from '@tanstack/react-query'
import type { Org } from '../api/client.ts'
import { meQuery, workspacesQuery } from './queries.ts'
import { explainMissing, type Role } from './roles.ts'

/** Returns the organization of a workspace, with the role of the user in it; null until it is loaded. */
export function useOrg(workspaceId: string): Org | null {
  const { data: me } = useQuery(meQuery)
  const { data: workspaces } = useQuery(workspacesQuery)
  const orgId = workspaces?.find(({ id }) => id === workspaceId)?.org_id
  return me?.orgs.find(({ id }) => id === orgId) ?? null
}

/** Returns why the user may not do what requires a role; undefined if they may, or if their role is not loaded yet. */
export const useMissingRole = (workspaceId: string, needed: Role): string | undefined =>
  explainMissing(useOrg(workspaceId)?.role, needed)
