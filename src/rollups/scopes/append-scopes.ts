// Records the changes of a transaction to the counts of instrumentation scopes: as rows beside them, in the same transaction.
import { isChange, type ScopeDelta } from '../../sketches/scope-sums.ts'
import type { Tx } from '../../store/database.ts'

/** One insert in the caller's transaction for all workspaces, or none; takes no lock and never waits. */
export function appendScopes(tx: Pick<Tx, 'send'>, deltas: ReadonlyMap<string, ScopeDelta>): void {
  const rows = [...deltas].flatMap(([workspaceId, delta]) =>
    [...delta.values()].flatMap((minute) =>
      [...minute.values()].filter(isChange).map((sums) => ({ workspaceId, ...sums })),
    ),
  )
  if (rows.length === 0) return
  tx.send('rollups/append-scopes', [
    rows.map(({ workspaceId }) => workspaceId),
    rows.map(({ minuteMs }) => minuteMs / 1_000),
    rows.map(({ scope }) => scope.name ?? ''),
    rows.map(({ scope }) => scope.version ?? ''),
    rows.map(({ scope }) => scope.dialect ?? ''),
    rows.map(({ kind }) => kind),
    rows.map(({ spans }) => spans),
    rows.map(({ toldTwice }) => toldTwice),
    rows.map(({ repeated }) => repeated),
    rows.map(({ unpriced }) => unpriced),
    rows.map(({ costDisagreements }) => costDisagreements),
    rows.map(({ costDisagreementUsd }) => costDisagreementUsd),
    rows.map(({ agentsUnnamed }) => agentsUnnamed),
    rows.map(({ lastUs }) => lastUs),
  ])
}
