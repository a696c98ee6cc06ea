// Which workspace a browser opens that has opened none before.
import type { Workspace } from '../../api/client.ts'

// One request each.
const mostAsked = 20

/**
 * That whose newest span came last, else the first; undefined where there is none. At most 20 are asked.
 * `readNewestMs` gives 0 where no span has ever come; a workspace whose question fails counts as one of these.
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
