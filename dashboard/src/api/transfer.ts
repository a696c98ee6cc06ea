// Sends one request and reads the whole response.
import { makeNetworkFault } from './fault.ts'

/** Throws an ApiFault if there was no response, or only a part of one. */
export async function transfer(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
    const { status, statusText, headers } = response
    // The connection can break after the headers. Reading the body then throws an error that looks like a defect of the page.
    const body = await response.blob()
    return new Response(body.size === 0 ? null : body, { status, statusText, headers })
  } catch (error) {
    // The caller aborted the request and handles the abort error.
    if (request.signal.aborted) throw error
    throw makeNetworkFault(error)
  }
}
