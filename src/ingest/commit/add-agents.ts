// Adds the rows of a group to the sums of their agents.

import { columnBits } from '../../encode/event-columns.ts'
import { makeArrayParam, writeTextArray } from '../../store/array-param.ts'
import { eachKept, type Work } from './batch-slice.ts'
import { type AgentsOfWork, agentOf, type KnownAgent } from './lock-or-create-agents.ts'
import type { Sending } from './outbox.ts'
import { addText, listTexts, type Texts } from './sum-traces.ts'

type AgentSum = {
  readonly agent: KnownAgent
  events: number
  firstUs: number
  lastUs: number
  models: Texts
}

/** Returns one sum per agent, keyed by agent id: the database may treat two different names as equal. */
function sumAgents(works: readonly Work[], agents: AgentsOfWork): AgentSum[] {
  const sums = new Map<string, AgentSum>()
  for (const work of works) {
    const { columns } = work.batch
    const known: (AgentSum | undefined)[] = Array.from({ length: columns.texts.length })
    eachKept(work, (row) => {
      const place = columns.agent[row] as number
      const sum = known[place] ?? findOrOpen(sums, agentOf(agents, work, row))
      known[place] = sum
      const start = columns.startUs[row] as number
      sum.events++
      if (start < sum.firstUs) sum.firstUs = start
      if (start > sum.lastUs) sum.lastUs = start
      if (((columns.bits[row] as number) & columnBits.counted) !== 0)
        sum.models = addText(sum.models, columns, columns.model[row] as number)
    })
  }
  return [...sums.values()]
}

function findOrOpen(sums: Map<string, AgentSum>, agent: KnownAgent): AgentSum {
  const key = `${agent.workspaceId} ${agent.id}`
  let sum = sums.get(key)
  if (sum === undefined) {
    sum = { agent, events: 0, firstUs: Number.POSITIVE_INFINITY, lastUs: Number.NEGATIVE_INFINITY, models: null }
    sums.set(key, sum)
  }
  return sum
}

export function addAgents(tx: Sending, works: readonly Work[], agents: AgentsOfWork): void {
  const sums = sumAgents(works, agents)
  const times = (read: (sum: AgentSum) => number): Buffer =>
    makeArrayParam('timestamptz', sums.length, (writer) => {
      for (const sum of sums) writer.timestamp(read(sum))
    })
  tx.send('ingest/upsert-agents', [
    sums.map(({ agent }) => agent.workspaceId),
    sums.map(({ agent }) => agent.id),
    sums.map(({ agent }) => agent.name),
    times(({ firstUs }) => firstUs),
    times(({ lastUs }) => lastUs),
    sums.map(({ models }) => writeTextArray(listTexts(models))),
    sums.map(({ events }) => events),
    sums.map(({ agent }) => !agent.hasSlot),
  ])
}
