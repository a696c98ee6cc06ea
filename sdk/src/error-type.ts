// SDK. What kind of failure a thrown value is. Its message may hold customer content, and is never sent.

const maxChars = 128

/** The name of its class, or the code that Node gives it. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = (error as { code?: unknown }).code
  const named = error.name === 'Error' && typeof code === 'string' && code !== '' ? code : error.name
  return (named === '' ? 'Error' : named).slice(0, maxChars)
}
