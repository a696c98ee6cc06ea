// The request id, which stands in the answer and in the log.
import { randomUUID } from 'node:crypto'

const saneRequestId = /^[A-Za-z0-9._:-]{1,128}$/

/** Returns the value of `x-request-id` if it is well-formed; otherwise a new id. */
export const chooseRequestId = (given: string | readonly string[] | undefined): string =>
  typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
