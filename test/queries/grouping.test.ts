// Groups beyond the maximum: each is listed with all of its sums, or is in the rest with all of them.
import test from 'ava'
import { makeAggregate } from '../../src/queries/stats/aggregate.ts'
import { maxGroups, sumUpHeldGroups } from '../../src/queries/stats/grouping.ts'
import type { StatsSource } from '../../src/queries/stats/source/source.ts'
import { counterAt } from '../../src/sketches/counters.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000
const window = { from: new Date(dayMs / 2), to: new Date(2.5 * dayMs) }
const parts = { durations: false, traces: false, inputs: false }

/** Passes one event of each tool at each time. */
const sourceOf = (toolsAt: ReadonlyMap<number, readonly string[]>): StatsSource => ({
  makeAggregate,
  read({ into }) {
    if (!('parts' in into)) throw new Error('groups are summed by cell')
    for (const [startMs, tools] of toolsAt) {
      for (const tool of tools) {
        const aggregate = into.cellTallyOf(startMs, { agentId: 'agent', kind: 'tool', model: null, tool })
        if (aggregate !== null) aggregate.counters[counterAt.events]! += 1
      }
    }
    return Promise.resolve(0)
  },
})

const many = Array.from({ length: maxGroups }, (_, nth) => `tool ${nth}`)
const startsMs = { before: 20 * hourMs, days: 1.5 * dayMs, after: 2 * dayMs + hourMs }

for (const crowded of ['before', 'days', 'after'] as const) {
  test(`a group beyond the maximum of ${crowded} is not listed with a part of its sums`, async (t) => {
    const toolsAt = new Map(
      Object.entries(startsMs).map(([part, startMs]) => [startMs, [...(part === crowded ? many : []), 'late']]),
    )
    const scope = { groupBy: 'tool', agentId: undefined } as const
    const { byKey, beyond } = await sumUpHeldGroups(sourceOf(toolsAt), window, scope, parts)
    const listed = byKey.get('late')?.counters[counterAt.events] ?? 0
    t.true(listed === 0 || listed === 3, `${listed} of 3`)
    const rest = beyond?.counters[counterAt.events] ?? 0
    const all = [...byKey.values()].reduce((sum, { counters }) => sum + counters[counterAt.events]!, rest)
    t.is(all, maxGroups + 3)
  })
}
