// The models of the fleet and their speeds.

export type Model = {
  /** As in the OpenTelemetry registry. */
  readonly provider: string
  /** The name in the request. */
  readonly asked: string
  /** The name in the response. */
  readonly answered: string
  readonly firstTokenMs: number
  readonly tokensPerSecond: number
}

export const models = {
  gpt4oMini: {
    provider: 'openai',
    asked: 'gpt-4o-mini',
    answered: 'gpt-4o-mini-2024-07-18',
    firstTokenMs: 380,
    tokensPerSecond: 110,
  },
  gpt4o: {
    provider: 'openai',
    asked: 'gpt-4o',
    answered: 'gpt-4o-2024-08-06',
    firstTokenMs: 520,
    tokensPerSecond: 90,
  },
  gpt5: { provider: 'openai', asked: 'gpt-5', answered: 'gpt-5-2025-08-07', firstTokenMs: 2_400, tokensPerSecond: 70 },
  sonnet: {
    provider: 'anthropic',
    asked: 'claude-sonnet-4-6',
    answered: 'claude-sonnet-4-6',
    firstTokenMs: 900,
    tokensPerSecond: 75,
  },
  haiku: {
    provider: 'anthropic',
    asked: 'claude-haiku-4-5',
    answered: 'claude-haiku-4-5-20251001',
    firstTokenMs: 420,
    tokensPerSecond: 150,
  },
  flash: {
    provider: 'gcp.gemini',
    asked: 'gemini-2.5-flash',
    answered: 'gemini-2.5-flash',
    firstTokenMs: 350,
    tokensPerSecond: 180,
  },
  mistralLarge: {
    provider: 'mistral_ai',
    asked: 'mistral-large-2512',
    answered: 'mistral-large-2512',
    firstTokenMs: 600,
    tokensPerSecond: 85,
  },
  /** Served in-house: it has no known price. */
  houseNotes: {
    provider: 'vllm',
    asked: 'house-notes-13b',
    answered: 'house-notes-13b',
    firstTokenMs: 250,
    tokensPerSecond: 60,
  },
  embedding3Small: {
    provider: 'openai',
    asked: 'text-embedding-3-small',
    answered: 'text-embedding-3-small',
    firstTokenMs: 120,
    tokensPerSecond: 20_000,
  },
} satisfies Record<string, Model>
