// The problems that the data of an instrumentation can have, and what to change in its set-up.
import type { Schemas } from '../../api/client.ts'

export type Instrumentation = Schemas['Instrumentation']

export type Problem = {
  readonly key: 'dialect' | 'other' | 'told-twice' | 'unpriced' | 'cost' | 'unnamed'
  readonly title: string
  /** Returns the number of spans that have the problem. */
  readonly count: (item: Instrumentation) => number
  /** What the count is a share of. */
  readonly among: 'calls' | 'spans'
  /** The effect of the problem on the figures, and what to change. */
  readonly advice: string
  readonly code?: string
}

const counts: Readonly<Record<Problem['among'], (item: Instrumentation) => number>> = {
  calls: ({ by_kind: kinds }) => (kinds['llm'] ?? 0) + (kinds['embedding'] ?? 0),
  spans: ({ spans }) => spans,
}

export const problems: readonly Problem[] = [
  {
    key: 'told-twice',
    title: 'Calls that are reported twice',
    count: (item) => item.told_twice,
    among: 'calls',
    advice:
      'Two instrumentations report the same model calls, such as a framework and the SDK below it. Each call counts once, but is sent and stored twice. Turn off the one whose spans do not count.',
  },
  {
    key: 'unpriced',
    title: 'Calls without a price',
    count: (item) => item.unpriced,
    among: 'calls',
    advice:
      'These calls report tokens, but their model has no price, so that all costs that are shown are too low. Send the model and the provider by the names that the provider itself uses, or set a price of your own.',
    code: `span.setAttribute('gen_ai.provider.name', 'openai')
span.setAttribute('gen_ai.request.model', 'gpt-4.1-mini')`,
  },
  {
    key: 'cost',
    title: 'Costs that differ from the computed ones',
    count: (item) => item.cost_disagreements,
    among: 'calls',
    advice:
      'The sender reports a cost that differs from the computed one by more than 5 %. Check that it reports all tokens (cached ones are part of the input tokens), the model that answered, and current prices.',
    code: `span.setAttribute('gen_ai.usage.input_tokens', 12_000) // cached ones included
span.setAttribute('gen_ai.usage.cache_read.input_tokens', 10_000)
span.setAttribute('gen_ai.response.model', response.model)`,
  },
  {
    key: 'dialect',
    title: 'A dialect that is not understood',
    count: ({ dialect, spans }) => (dialect === null ? spans : 0),
    among: 'spans',
    advice:
      'No attribute of these spans is one that the service knows. If they are of HTTP or of a database, leave this instrumentation out of the export; if they are of agents, use a release that follows the OpenTelemetry GenAI conventions.',
  },
  {
    key: 'other',
    title: 'Spans whose kind is not known',
    count: (item) => item.by_kind['other'] ?? 0,
    among: 'spans',
    advice:
      'The service does not recognize the kind of these spans: traces show them, but they do not count as calls. Name the operation on the spans that are calls of models, tools or agents.',
    code: `span.setAttribute('gen_ai.operation.name', 'chat') // or execute_tool, invoke_agent, embeddings`,
  },
  {
    key: 'unnamed',
    title: 'Agents without a name',
    count: (item) => item.agents_unnamed,
    among: 'spans',
    advice:
      'Neither the trace nor the resource names the agent, so that its spans are under the name of the service, or under “unknown”. Name each agent on its own span, or once for the whole process.',
    code: `span.setAttribute('gen_ai.agent.name', 'support-agent')
# or, for the process
export OTEL_RESOURCE_ATTRIBUTES=gen_ai.main_agent.name=support-agent`,
  },
]

/** Returns the number that the count of the problem is a share of. */
export const countAmong = ({ among }: Problem, item: Instrumentation): number => counts[among](item)

export type Found = {
  readonly problem: Problem
  /** Most spans first. */
  readonly items: readonly { readonly item: Instrumentation; readonly count: number; readonly among: number }[]
}

/** Returns the present problems, each with the instrumentations that have it. */
export const findProblems = (all: readonly Instrumentation[]): Found[] =>
  problems.flatMap((problem) => {
    const items = all
      .map((item) => ({ item, count: problem.count(item), among: countAmong(problem, item) }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => b.count - a.count)
    return items.length === 0 ? [] : [{ problem, items }]
  })

/** Returns the key of a row. Each version and dialect of a scope is a separate row. */
export const keyOf = ({ scope_name: name, scope_version: version, dialect }: Instrumentation): string =>
  JSON.stringify([name, version, dialect])

export const nameScope = ({ scope_name: name }: Pick<Instrumentation, 'scope_name'>): string =>
  name ?? 'spans without a scope'

/** Describes which of two reports of a call counts; null if no call is reported twice. */
export function describeTwice({ told_twice: twice, repeated }: Instrumentation): string | null {
  if (twice === 0) return null
  if (repeated === 0) return 'these count'
  return repeated === twice ? 'the other ones count' : 'some of these count'
}
