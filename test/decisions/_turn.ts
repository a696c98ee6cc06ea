// Turns of the optimization loop at one workspace, run by a test itself, and the notices that they published.

import { makeDutyCycle } from '../../src/base/duty-cycle.ts'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { type Judged, type OptimizeDeps, optimizeWorkspace, type Turn } from '../../src/decisions/optimize-workspace.ts'
import type { TestDatabase } from '../_kit/db.ts'

export type Turns = {
  readonly take: () => Promise<Turn>
  readonly moved: string[]
  readonly published: string[]
  readonly errors: unknown[]
}

export function openTurns(
  { db }: Pick<TestDatabase, 'db'>,
  workspaceId: string,
  more: Partial<OptimizeDeps> = {},
): Turns {
  const [moved, published, errors]: [string[], string[], unknown[]] = [[], [], []]
  const deps: OptimizeDeps = {
    db,
    judge: async (id, decisionId): Promise<Judged> => await gateDecision({ db, nowMs: Date.now }, id, decisionId),
    detectFindings: async () => await Promise.resolve({ opened: 0, updated: 0, resolved: 0 }),
    publishRules: (id) => published.push(id),
    onProposed: () => undefined,
    onMoved: (_workspaceId, _decisionId, to, why) => moved.push(`${to} ${why}`),
    onFound: () => undefined,
    onStep: () => undefined,
    onError: (error) => errors.push(error),
    findEveryMs: 3_600_000,
    passEveryMs: 0,
    judgeEveryMs: 0,
    turnMs: 60_000,
    nowMs: () => performance.now(),
    ...more,
  }
  const { signal } = new AbortController()
  const take = async (): Promise<Turn> =>
    await optimizeWorkspace(deps, { pace: makeDutyCycle(1, signal), signal }, workspaceId)
  return { take, moved, published, errors }
}
