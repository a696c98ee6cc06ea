// The work of a demo agent before a dialect writes it as attributes.
import type { AttributeInput } from '../_kit/spans.ts'
import type { Model } from './models.ts'

export type ToolTold = {
  readonly id: string
  readonly name: string
  readonly arguments: { readonly [key: string]: AttributeInput }
  readonly result: AttributeInput
  /** Attributes of Tracewright's own namespace: a stored result. */
  readonly stored?: Attributes
}

export type CallTold = {
  readonly model: Model
  readonly question: string
  readonly answer: string
  /** Total input, including the cached and the newly cached part. */
  readonly input: number
  /** Total output, including reasoning. */
  readonly output: number
  readonly cached?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
  /** Streamed: the time of the first token is reported. */
  readonly streams?: boolean
  /** Tools that the answer requests. */
  readonly wants?: readonly ToolTold[]
  /** Tool results in the prompt. */
  readonly consumed?: readonly ToolTold[]
  /** The results that the answer depends on; default: all. */
  readonly read?: readonly ToolTold[]
}

export type AgentTold = {
  readonly name: string
  readonly session: string
  readonly user: string
  readonly task: string
}

export type RetrievalTold = { readonly source: string; readonly query: string; readonly documents: readonly string[] }

export type Attributes = { readonly [key: string]: AttributeInput }

export type Written = { readonly name: string; readonly attributes: Attributes }

/** One way to write spans. `ttftMs` is null if the call does not stream; a failed call has no answer. */
export type Dialect = {
  readonly scope: { readonly name: string; readonly version: string }
  agent(told: AgentTold): Written
  call(told: CallTold, responseId: string, ttftMs: number | null, failed: boolean): Written
  tool(told: ToolTold, failed: boolean): Written
  embedding(model: Model, text: string, tokens: number): Written
  retrieval(told: RetrievalTold): Written
}
