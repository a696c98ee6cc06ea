// Adds the sums of a group to their traces, in one statement.
import { type CopyWriter, makeCopyWriter } from '../../encode/copy-writer.ts'
import { makeArrayParam, writeTextArray } from '../../store/array-param.ts'
import type { Work } from './batch-slice.ts'
import { type AgentsOfWork, agentOf } from './lock-or-create-agents.ts'
import type { Sending } from './outbox.ts'
import { listTexts, sumTraces, type Texts, type TraceSum } from './sum-traces.ts'

type Element = Parameters<typeof makeArrayParam>[0]
type Column = readonly [element: Element, write: (writer: CopyWriter, sum: TraceSum) => void]

const count = (read: (sum: TraceSum) => number): Column => ['int8', (writer, sum) => writer.int8(read(sum))]

const time = (read: (sum: TraceSum) => number): Column => ['timestamptz', (writer, sum) => writer.timestamp(read(sum))]

const texts = (read: (sum: TraceSum) => Texts): Column => [
  'text',
  (writer, sum) => writer.text(writeTextArray(listInOrder(read(sum)))),
]

const listInOrder = (texts: Texts): Iterable<string> => (texts instanceof Set ? [...texts].sort() : listTexts(texts))

/**
 * All names from lists with several, sorted as the lists are: the statement checks once whether the database sorts them in the same order.
 */
function listNames(sums: readonly TraceSum[]): string[] {
  const names = new Set<string>()
  for (const { models, tools } of sums) {
    if (models instanceof Set) for (const model of models) names.add(model)
    if (tools instanceof Set) for (const tool of tools) names.add(tool)
  }
  return [...names].sort()
}

const nullableText = (read: (sum: TraceSum) => string | null): Column => [
  'text',
  (writer, sum) => {
    const value = read(sum)
    if (value === null) writer.nul()
    else writer.text(value)
  },
]

const textOf = ({ session, user }: TraceSum, column: 'session' | 'user'): string | null => {
  const from = column === 'session' ? session : user
  if (from === null) return null
  const { columns } = from.work.batch
  return columns.texts[columns[column][from.row] as number] as string
}

/** The array parameters of the statement, in its order. Each has one element per trace. */
const makeColumns = (agents: AgentsOfWork): readonly Column[] => [
  ['uuid', (writer, sum) => writer.bytes(sum.workspaceId)],
  ['bytea', (writer, sum) => writer.bytes(sum.traceId)],
  time(({ startUs }) => startUs),
  time(({ endUs }) => endUs),
  ['bool', (writer, sum) => writer.bool(sum.hasRoot)],
  nullableText(
    ({ named: { work, row } }) => work.batch.columns.texts[work.batch.columns.name[row] as number] as string,
  ),
  time(({ named: { work, row } }) => work.batch.columns.startUs[row] as number),
  ['uuid', (writer, { named: { work, row } }) => writer.bytes(agentOf(agents, work, row).idBytes)],
  nullableText((sum) => textOf(sum, 'session')),
  nullableText((sum) => textOf(sum, 'user')),
  count(({ spans }) => spans),
  count(({ llmCalls }) => llmCalls),
  count(({ toolCalls }) => toolCalls),
  count(({ servedCalls }) => servedCalls),
  count(({ holdoutCalls }) => holdoutCalls),
  count(({ errors }) => errors),
  count(({ inputTokens }) => inputTokens),
  count(({ outputTokens }) => outputTokens),
  count(({ cachedTokens }) => cachedTokens),
  count(({ cacheWriteTokens }) => cacheWriteTokens),
  [
    'float8',
    (writer, { costUsd }) => {
      if (Number.isNaN(costUsd)) writer.nul()
      else writer.float8(costUsd)
    },
  ],
  count(({ unpricedCalls }) => unpricedCalls),
  texts(({ models }) => models),
  texts(({ tools }) => tools),
]

export function addTraces(tx: Sending, works: readonly Work[], agents: AgentsOfWork): void {
  const sums = sumTraces(works)
  const writer = makeCopyWriter(sums.length * 64)
  const params = makeColumns(agents).map(([element, write]) => {
    const writeAll = (): void => {
      for (const sum of sums) write(writer, sum)
    }
    return makeArrayParam(element, sums.length, writeAll, writer)
  })
  const names = listNames(sums)
  const writeNames = (): void => {
    for (const name of names) writer.text(name)
  }
  tx.send('ingest/upsert-traces', [...params, makeArrayParam('text', names.length, writeNames, writer)])
}
