// Encodes failures for NATS, and translates the errors of the NATS client.
import { errors, headers, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import { Busy, NoResponders, TransportTimeout, Unavailable } from './transport.ts'

/** Why a responder gives no answer. */
export type ResponderFailure = 'busy' | 'failed'

const failureHeader = 'Tracewright-Failure'

/** Returns the headers of an empty answer that reports the failure. */
export function makeFailure(failure: ResponderFailure): MsgHdrs {
  const made = headers()
  made.set(failureHeader, failure)
  return made
}

/** Throws Busy or Unavailable if the message reports a failure. */
export function throwFailure(message: Msg): void {
  const failure = message.headers?.get(failureHeader) ?? ''
  if (failure === 'busy') throw new Busy('the responder is busy')
  if (failure !== '') throw new Unavailable('the responder failed')
}

/** Returns one of the four transport errors. Any other error is a bug and is returned unchanged. */
export function translateFailure(error: unknown, subject: string, timeoutMs: number): unknown {
  const { NoRespondersError, RequestError, TimeoutError, ClosedConnectionError } = errors
  if (error instanceof TimeoutError) return new TransportTimeout(`no answer on ${subject} within ${timeoutMs} ms`)
  // The client reports this failure in two ways.
  if (error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders()))
    return new NoResponders(`no process answers on ${subject}`)
  if (error instanceof RequestError || error instanceof ClosedConnectionError)
    return new Unavailable('NATS did not permit the request, or the connection was lost', { cause: error })
  return error
}
