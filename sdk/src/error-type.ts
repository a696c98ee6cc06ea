// SDK. The type of a thrown value, for spans. Its message may contain customer content and is never sent.

const maxChars = 128

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { name, code } = error as { readonly name: unknown; readonly code?: unknown }
  if (name === 'Error' && isName(code)) return code
  return isName(name) ? name : 'Error'
}

/**
 * Returns the `name` of the error, its `code` where it is a plain `Error`, or the `typeof` of any other value; at most 128 characters.
 * Never throws, so that the caller gets the original error.
 */
export function errorTypeOf(error: unknown): string {
  try {
    return nameOf(error).slice(0, maxChars)
  } catch {
    // A getter or a proxy of the application threw.
    return 'Error'
  }
}
