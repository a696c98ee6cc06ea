// How a failure crosses NATS, and what the failures of its client mean to us.
import { errors, headers, type Msg, type MsgHdrs } from '@nats-io/transport-node'
import { Busy, NoResponders, TransportTimeout, Unavailable } from './transport.ts'

/** Why a responder has no answer. */
export type Failure = 'busy' | 'failed'

const failureHeader = 'Tracewright-Failure'

/** The headers of an empty answer that says so. */
export function makeFailure(failure: Failure): MsgHdrs {
  const made = headers()
  made.set(failureHeader, failure)
  return made
}

/** Throws Busy or Unavailable where the answer says that there is none. */
export function throwFailure(message: Msg): void {
  const failure = message.headers?.get(failureHeader) ?? ''
  if (failure === 'busy') throw new Busy('the responder is busy')
  if (failure !== '') throw new Unavailable('the responder failed')
}

/** One of the four ways to fail; anything else is a bug and stays what it is. */
export function translateFailure(error: unknown, subject: string, timeoutMs: number): unknown {
  const { NoRespondersError, RequestError, TimeoutError, ClosedConnectionError } = errors
  if (error instanceof TimeoutError) return new TransportTimeout(`no answer on ${subject} within ${timeoutMs} ms`)
  // It comes in two shapes.
  if (error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders()))
    return new NoResponders(`no process answers on ${subject}`)
  if (error instanceof RequestError || error instanceof ClosedConnectionError)
    return new Unavailable('NATS did not permit the request, or the connection was lost', { cause: error })
  return error
}
