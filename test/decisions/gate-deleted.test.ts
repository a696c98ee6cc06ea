// The gate moves a decision of a workspace while the workspace is being deleted.
import test from 'ava'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { useDatabase } from '../_kit/use-database.ts'
import { intercept } from '../ingest/_intercept.ts'
import { dayMs, makeDecision, shadowMs } from './_gated.ts'

const world = useDatabase()

for (const type of ['reuse_identity', 'suppress_dead'] as const)
  test(`measuring a ${type} decision of a deleted workspace ends without an error`, async (t) => {
    for (const isDeleted of [true, false]) {
      const { workspaceId, decisionId } = await makeDecision(world, { type })
      let isHeld = false
      const db = intercept(world.db, async (statement) => {
        if (statement === 'decisions/hold-to-measure') isHeld = true
        if (statement === 'decisions/lock' && isDeleted)
          await world.query('update workspaces set deleted_at = now() where id = $1', [workspaceId])
        return undefined
      })
      // A decision that is still undecided by then is disabled.
      const nowMs = shadowMs + 15 * dayMs
      const looked = await gateDecision({ db, nowMs: () => nowMs }, workspaceId, decisionId)
      t.true(isHeld)
      t.is(looked.moved, isDeleted ? null : 'disabled')
      t.is(looked.verdict === 'unmeasured', isDeleted)
      const [after] = await world.query('select state from decisions where id = $1', [decisionId])
      t.deepEqual(after, { state: isDeleted ? 'shadow' : 'disabled' })
    }
  })
