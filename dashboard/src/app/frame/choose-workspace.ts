import type { Workspace } from '../../api/client.ts'

/** Returns the last workspace used, but on the pages of an organization preferably one of it. Null if the user has no workspace. */
export function chooseWorkspace(
  workspaces: readonly Workspace[],
  lastId: string | null,
  orgId: string | undefined,
): Workspace | null {
  const last = workspaces.find(({ id }) => id === lastId)
  if (orgId === undefined || last?.org_id === orgId) return last ?? workspaces[0] ?? null
  return workspaces.find(({ org_id: one }) => one === orgId) ?? last ?? workspaces[0] ?? null
}
