// Selects the workspace that a browser opens if it has not opened one before.
import type { Workspace } from '../../api/client.ts'

// The limit of workspaces that are compared: each takes one request.
const mostAsked = 20

/**
 * Returns the workspace with the newest span, or the first one if none has a span; undefined if there are no workspaces.
 * Only the first 20 are compared.
 * `readNewestMs` returns 0 for a workspace that has never received a span. A workspace whose request fails counts as such.
 */
export async function findNewestWorkspace(
  workspaces: readonly Workspace[],
  readNewestMs: (workspaceId: string) => Promise<number>,
): Promise<Workspace | undefined> {
  const asked = workspaces.slice(0, mostAsked)
  if (asked.length < 2) return asked[0]
  const newestMs = await Promise.all(asked.map(async ({ id }) => await readNewestMs(id).catch(() => 0)))
  return asked[newestMs.indexOf(Math.max(...newestMs))]
}
