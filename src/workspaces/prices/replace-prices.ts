// Replaces all prices that a workspace has set, at once.
import { randomBytes } from 'node:crypto'
import { type Outcome, ok, refuse } from '../../base/outcome.ts'
import type { WorkspacePrice } from '../../pricing/workspace-prices.ts'
import { type Origin, writeAudit } from '../../store/audit.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Session } from '../../web/route.ts'
import type { PricesCode } from '../codes.ts'
import { readWorkspaceRole } from '../workspace-role.ts'
import { describePriceChange } from './price-change.ts'
import { isMatch } from './price-tag.ts'
import { readPrices } from './read-prices.ts'

type Deps = { readonly db: Database; readonly onChange: (workspaceId: string) => void }
type Input = {
  readonly who: Session
  readonly workspaceId: string
  /** Empty: removes the prices of the workspace. */
  readonly prices: readonly WorkspacePrice[]
  /** The revision that the caller has read, as in If-Match; undefined: replaces any revision. */
  readonly ifMatch: string | undefined
  readonly from: Origin
}

const revisionBytes = 6

/**
 * Requires admin or above. Returns the new revision; null if the workspace has no prices now.
 * One transaction. `onChange` is called after the commit, even if nothing changed: an earlier notice may have been lost.
 */
export async function replacePrices(deps: Deps, input: Input): Promise<Outcome<string | null, PricesCode>> {
  const outcome = await deps.db.tx(async (tx) => await replace(tx, input))
  if (outcome.ok) deps.onChange(input.workspaceId)
  return outcome
}

async function replace(
  tx: Tx,
  { who, workspaceId, prices, ifMatch, from }: Input,
): Promise<Outcome<string | null, PricesCode>> {
  const locked = await tx.row<{ org_id: string }>('workspaces/lock', [workspaceId])
  const callerRole = await readWorkspaceRole(tx, who, workspaceId, 'admin')
  if (!callerRole.ok) return callerRole
  if (locked === null) return refuse('not_found')
  const current = await readPrices(tx, workspaceId)
  if (!current.ok) return current
  if (!isMatch(ifMatch, current.value?.revision ?? null)) return refuse('prices_changed')
  const revision = prices.length === 0 ? null : randomBytes(revisionBytes).toString('base64url')
  if (revision !== null) await tx.run('workspaces/put-prices', [workspaceId, revision, JSON.stringify(prices)])
  else if ((await tx.run('workspaces/remove-prices', [workspaceId])) === 0) return ok(null)
  await writeAudit(tx, {
    action: 'prices.change',
    from,
    userId: who.userId,
    orgId: locked.org_id,
    workspaceId,
    target: workspaceId,
    // Events that are priced by the list store the same revision.
    detail: {
      prices: prices.length,
      ...describePriceChange(current.value?.prices ?? [], prices),
      ...(revision === null ? {} : { revision }),
    },
  })
  return ok(revision)
}
