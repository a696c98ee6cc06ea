// SDK. What kind of failure a thrown value is. Its message may hold customer content, and is never sent.

const maxChars = 128

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, code } = error as { readonly name: unknown; readonly code?: unknown }
  if (name === 'Error' && isName(code)) return code
  return isName(name) ? name : 'Error'
}

/** The name of its class, or the code that Node gives it. Never throws, whatever is thrown: the caller is to get that, and nothing else. */
export function errorTypeOf(error: unknown): string {
  try {
    return nameOf(error).slice(0, maxChars)
  } catch {
    // A getter or a proxy of the program's threw.
    return 'Error'
  }
}
