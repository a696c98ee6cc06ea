// Sends one request and reads the whole response.
import { makeNetworkFault, makeTimeoutFault } from './fault.ts'

/** Longer than the service spends on a query or lets a request wait for news. A connection can stay silent for ever. */
const answerLimitMs = 60_000

/** Throws an ApiFault if there was no response, or only a part of one. */
export async function transfer(request: Request, limitMs = answerLimitMs): Promise<Response> {
  const limit = AbortSignal.timeout(limitMs)
  try {
    const response = await fetch(request, { signal: AbortSignal.any([request.signal, limit]) })
    const { status, statusText, headers } = response
    // The connection can break after the headers. Reading the body then throws an error that looks like a defect of the page.
    const body = await response.arrayBuffer()
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
  } catch (error) {
    // The caller aborted the request and handles the abort error.
    if (request.signal.aborted) throw error
    throw limit.aborted ? makeTimeoutFault(limit.reason, limitMs) : makeNetworkFault(error)
  }
}
