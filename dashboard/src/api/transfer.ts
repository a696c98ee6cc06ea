// One request and the whole answer to it.
import { makeNetworkFault } from './fault.ts'

/** Throws an ApiFault where no answer came, or only a part of one. */
export async function transfer(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    const { status, statusText, headers } = response
    // The connection can break after the headers. Whoever reads the body then gets an error that does not tell this from a defect.
    const body = await response.blob()
    return new Response(body.size === 0 ? null : body, { status, statusText, headers })
  } catch (error) {
    // Whoever aborts knows why.
    if (request.signal.aborted) throw error
    throw makeNetworkFault(error)
  }
}
