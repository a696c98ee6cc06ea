// The reasons why a model stopped, read from the attributes: an event has no field for them. The names differ by dialect.

const names = [
  'gen_ai.response.finish_reasons',
  'gen_ai.response.finish_reason',
  'llm.response.finish_reason',
  'llm.finish_reason',
  'ai.response.finishReason',
  'stop_reason',
]

export function readFinishReasons(attributes: Readonly<Record<string, unknown>>): string[] {
  const given = names.map((name) => attributes[name]).find((value) => value !== undefined && value !== null)
  const values = Array.isArray(given) ? given : [given]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
