// The body of a request.

/**
 * As JSON. A number that cannot be written in JSON, such as what a form made of a text that is no number, is sent as a text, which the
 * service refuses at its field. JSON.stringify would write null, and null has a meaning of its own: no price, no limit.
 */
export const writeBody = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value,
  )
