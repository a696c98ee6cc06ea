// The data that SDKs apply, on a front: rules and stored tool results, both kept current by notices.

import { readRules } from '../decisions/snapshot.ts'
import { type FastPathDeps, firstOf } from '../serving/fast-path.ts'
import { makeInvalidateRoutes } from '../serving/invalidate.ts'
import { makeApplyRoutes } from '../serving/routes.ts'
import { openRules } from '../serving/rules.ts'
import { makeRulesFastPath } from '../serving/rules-fast-path.ts'
import { makeResultsFastPath } from '../serving/tool-result/fast-path.ts'
import { openToolResults } from '../serving/tool-result/open.ts'
import { makeToolResultRoutes } from '../serving/tool-result/routes.ts'
import type { ActorClient } from './actor-router.ts'
import { type AppContext, halfOfControl, rulesPollAfterS } from './app-context.ts'

export function openApply(
  { config, databases, bus, metrics, clock, onError }: AppContext,
  { router, isDeaf }: Pick<ActorClient, 'router' | 'isDeaf'>,
) {
  const db = databases.control
  const steadyMs = (): number => performance.now()
  const { notices } = bus
  const rules = openRules({
    askActor: router.snapshot,
    readDatabase: (workspaceId, ifVersion) => readRules({ db, pollAfterS: rulesPollAfterS }, workspaceId, ifVersion),
    // The other half is left to keys, accounts and workspace facts, which ingest needs.
    maxReads: halfOfControl(config),
    onStale: () => metrics.fallbacks.inc({ path: 'rules_stale' }),
    onError: (error) => onError(error, 'checking rules in the background'),
    isDeaf,
    nowMs: steadyMs,
  })
  const results = openToolResults({
    db,
    rules,
    onAnswer: (outcome, from) => metrics.toolResults.inc({ outcome, from }),
    onError: (error) => onError(error, 'looking for a stored tool result'),
    nowMs: clock.nowMs,
    steadyMs,
  })
  metrics.watch('tracewright_tool_results_bytes', 'Memory of the cache of stored tool results', () => results.bytes())
  metrics.gauge(
    'tracewright_lookups_waiting',
    'SDK lookups that wait for the database, by subject',
    ['about'],
    (gauge) => {
      gauge.set({ about: 'rules' }, rules.waiting())
      gauge.set({ about: 'tool_results' }, results.waiting())
    },
  )
  metrics.watch('tracewright_rules_parked', 'Long polls that wait for a change of rules', () => rules.parked())
  bus.onGap(() => {
    rules.invalidateAll()
    results.forgetAll()
  })
  /** Forgets results too: an invalidation is published as a change of rules, and may end answers under rules that stay the same. */
  function forget(workspaceId: string): void {
    rules.invalidate(workspaceId)
    results.forget(workspaceId, null)
  }
  const ends = [
    notices.subscribeChanges((workspaceId, kind) => {
      if (kind === 'rules') forget(workspaceId)
    }),
    notices.subscribeCommits((workspaceId, _inserted, news) => results.forget(workspaceId, news.results)),
    notices.subscribeDeletions(forget),
  ]
  const invalidating = makeInvalidateRoutes({
    db,
    onInvalidated(workspaceId) {
      // Before the answer, since the caller may ask for rules at once.
      forget(workspaceId)
      notices.publishChange(workspaceId, 'rules')
    },
  })
  return {
    routes: [...makeApplyRoutes({ rules, nowMs: steadyMs }), ...makeToolResultRoutes(results), ...invalidating],
    makeFastPath: (deps: FastPathDeps) =>
      firstOf(makeRulesFastPath({ ...deps, rules }), makeResultsFastPath({ ...deps, results })),
    /** Checks again the keys of requests that wait for rules of the workspace; null: of any workspace. */
    recheckKeys: rules.wake,
    stop() {
      for (const end of ends) end()
      rules.stop()
    },
  }
}
