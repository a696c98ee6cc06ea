// What a demo agent tells of its work, before a dialect puts it into attributes.
import type { AttributeInput } from '../_kit/spans.ts'
import type { Model } from './models.ts'

export type ToolTold = {
  readonly id: string
  readonly name: string
  readonly arguments: { readonly [key: string]: AttributeInput }
  readonly result: AttributeInput
  /** Attributes of our own namespace: a stored result. */
  readonly stored?: Attributes
}

export type CallTold = {
  readonly model: Model
  readonly question: string
  readonly answer: string
  /** Whole input: the cached and the newly cached part are inside. */
  readonly input: number
  /** Whole output: reasoning is inside. */
  readonly output: number
  readonly cached?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
  /** Streamed: tells how soon the first token came. */
  readonly streams?: boolean
  /** Tools that the answer asks for. */
  readonly wants?: readonly ToolTold[]
  /** Tool results in the prompt. */
  readonly consumed?: readonly ToolTold[]
  /** Those of them that the answer depends on; default: all. */
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

/** One way to write spans. `ttftMs` is null where the call does not stream; a call that failed has no answer to tell of. */
export type Dialect = {
  readonly scope: { readonly name: string; readonly version: string }
  agent(told: AgentTold): Written
  call(told: CallTold, responseId: string, ttftMs: number | null, failed: boolean): Written
  tool(told: ToolTold, failed: boolean): Written
  embedding(model: Model, text: string, tokens: number): Written
  retrieval(told: RetrievalTold): Written
}
