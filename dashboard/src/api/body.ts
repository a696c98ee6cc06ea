// The encoding of request bodies.

/**
 * Returns the body as JSON. NaN or an infinity, such as a form makes of a text that is not a number, is sent as a string, which the service
 * rejects with a message for its field. JSON.stringify would write null, which has another meaning: no price, no limit.
 */
export const writeBody = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  )
