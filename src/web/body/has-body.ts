// The body of a request: whether there is one, and whether all of it has arrived.
import type { IncomingMessage } from 'node:http'

/** Whether the header announces a body, of any content type. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Whether a part of the body is still to come. The next request on the connection would wait behind it. */
export const isBodyIncomplete = (request: IncomingMessage): boolean => hasBody(request) && !request.complete
