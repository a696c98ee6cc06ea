// The possible savings of repeated calls are priced with the holdout of the workspace, like the rule for the tool.
import test from 'ava'
import { repeatedToolCall } from '../../src/findings/detect/repeated-tool-call.ts'
import { unattestedRepeat } from '../../src/findings/detect/unattested-repeat.ts'
import { dayMs, hourMs, type Looks, minuteMs, nowMs, openLooks, repeat } from './_look.ts'

let looks: Looks
test.before(async () => {
  looks = await openLooks()
})
test.after.always(async () => await looks.db.stop())

const search = { kind: 'tool', tool: 'search', agent: 'coder' } as const

for (const detector of [repeatedToolCall, unattestedRepeat])
  test(`${detector.type}: held-out calls save nothing`, async (t) => {
    const workspace = await looks.makeWorkspace()
    await looks.db.query('update workspaces set holdout_rate = 0.2 where id = $1', [workspace])
    await looks.store(workspace, [
      { ...search, inputHash: 'other', atMs: nowMs - 2 * dayMs },
      ...repeat(11, nowMs - hourMs, minuteMs, { ...search, inputHash: 'same', providedCostUsd: 0.5 }),
    ])
    await looks.look(workspace, { detector })
    const [finding] = await looks.list(workspace)
    // 10 repeats of $0.50 in two days, 20 % held out, for 30 days.
    t.is(finding?.est_monthly_cost_usd, 60)
    t.regex(finding?.detail ?? '', /times the 80 % of the /)
  })
