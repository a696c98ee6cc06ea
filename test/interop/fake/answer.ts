// The scripted answers of a fake provider, and the usage that it reports.

export type ToolRequest = { readonly id: string; readonly name: string; readonly arguments: Record<string, unknown> }

/** Token counts as the provider itself writes them in its answer. */
export type OpenAiUsage = {
  readonly prompt: number
  readonly completion: number
  /** Included in `prompt`. */
  readonly cached?: number
  /** Included in `completion`. */
  readonly reasoning?: number
}

/** Anthropic counts cached tokens separately from the input. */
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

/** An HTTP status and a message instead of an answer. */
export type Failure = { readonly status: number; readonly message: string }

export type Script<Usage> = {
  /** The next requests get these answers, in order. */
  willAnswer(...answers: readonly (Answer<Usage> | Failure)[]): void
  /** Returns the next answer; throws if the test has set none. */
  next(): Answer<Usage> | Failure
  /** Number of answers that no request has received yet. */
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
