// SDK. The type of a thrown value, for spans and log lines. Its message may contain customer content and is never sent or logged.

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

/** A fault of a function or value that the application gave to the SDK. The message is logged, so it contains no customer content. */
export class ApplicationFault extends Error {}

/**
 * Returns what `given` returns. Where it throws, throws an ApplicationFault that says which function threw, what kind of error, and the
 * consequence.
 */
export function runGiven<Returned>(what: string, consequence: string, given: () => Returned): Returned {
  try {
    return given()
  } catch (error) {
    throw new ApplicationFault(`${what} threw ${errorTypeOf(error)}; ${consequence}`)
  }
}
