// What a fake provider is told to answer, and what it then reports as used.

export type ToolRequest = { readonly id: string; readonly name: string; readonly arguments: Record<string, unknown> }

/** Token counts as the provider itself writes them in its answer. */
export type OpenAiUsage = {
  readonly prompt: number
  readonly completion: number
  /** Inside `prompt`. */
  readonly cached?: number
  /** Inside `completion`. */
  readonly reasoning?: number
}

/** Anthropic counts the cache beside the input. */
export type AnthropicUsage = {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite5m?: number
  readonly cacheWrite1h?: number
}

export type Answer<Usage> = {
  readonly model: string
  readonly text?: string
  readonly tools?: readonly ToolRequest[]
  readonly usage: Usage
}

/** HTTP status and message in place of an answer. */
export type Failure = { readonly status: number; readonly message: string }

export type Script<Usage> = {
  /** The next requests get these, in order. */
  willAnswer(...answers: readonly (Answer<Usage> | Failure)[]): void
  /** The next answer; throws where the test told of none. */
  next(): Answer<Usage> | Failure
  /** Answers that no request has asked for yet. */
  left(): number
}

export function makeScript<Usage>(): Script<Usage> {
  const queue: (Answer<Usage> | Failure)[] = []
  return {
    willAnswer: (...answers) => void queue.push(...answers),
    next: () => {
      const answer = queue.shift()
      if (answer === undefined)
        throw new Error('the fake provider was asked more often than the test told it to answer')
      return answer
    },
    left: () => queue.length,
  }
}
