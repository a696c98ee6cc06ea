// Sends one query on one connection, waits for the answer or a timeout, and classifies the failure.
import type pg from 'pg'
import { Outage } from '../base/fault.ts'
import { isLoginRefused, isTransient, readSqlstate, sqlstate } from './sqlstate.ts'

/** Runs one query. Throws Outage where a retry may help. */
export type Ask = (query: pg.QueryConfig) => Promise<pg.QueryResult>

/** `wasRefused`: the driver refused the query and sent nothing. */
export type OnFailure = (error: Error, wasRefused: boolean) => void

export type OnDone<Result> = (error: Error | null, result?: Result) => void

/**
 * Sends a query and waits for its answer. It uses a callback that the query has from the start, and a timer of its own. The promise and the
 * `query_timeout` of node-pg set a callback later, and V8 then retains every query, its values and the sent bytes until the next full
 * collection. Calls `onFailure` in the order of the answers.
 */
export async function ask<Result>(
  client: Pick<pg.Client, 'connection'>,
  timeoutMs: number,
  send: (done: OnDone<Result>) => void,
  onFailure?: OnFailure,
): Promise<Result> {
  try {
    return await new Promise((done, fail) => {
      let isSent = false
      const late = setTimeout(() => {
        fail(new Error('Query read timeout'))
        // Queries that were sent behind this one would wait as long.
        client.connection.stream.destroy()
      }, timeoutMs)
      send((error, result) => {
        clearTimeout(late)
        if (error instanceof Error) {
          onFailure?.(error, !isSent)
          fail(error)
        } else done(result as Result)
      })
      isSent = true
    })
  } catch (error) {
    // The stack of the driver's error ends at the socket; this one shows the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/**
 * Returns why a transaction failed: the first failure if `error` only followed from it. If the server ended the connection, its message is
 * preferred to the error that the connection is gone.
 */
export function explain(error: unknown, failure: Error | null, lastWords: Error | undefined): unknown {
  const isFollower = error instanceof Outage || readSqlstate(error) === sqlstate.inFailedTransaction
  const first = [failure, lastWords].find((one) => readSqlstate(one) !== null)
  return isFollower && first !== undefined ? toFault(first) : error
}

/** Runs a database call. Turns an error that a retry may resolve into an Outage. */
export async function guard<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toFault(error)
  }
}

/**
 * Like `guard`, for a new connection. Every error from the server becomes an Outage, since no statement of ours has caused it: the database
 * may be closed for maintenance, for example.
 */
export async function guardConnect<T>(connect: () => Promise<T>): Promise<T> {
  try {
    return await guard(connect)
  } catch (error) {
    if (readSqlstate(error) === null) throw error
    throw new Outage('failure', 'PostgreSQL accepts no connection to the database', { cause: error })
  }
}

function toFault(error: unknown): unknown {
  // For example while a password is being changed. The client cannot fix it; the separate message shows the operator that the server runs
  // and refuses the login.
  if (isLoginRefused(error))
    return new Outage('failure', 'PostgreSQL refuses the user or the password of the database URL', { cause: error })
  return isTransient(error) ? new Outage('failure', 'the database is not available', { cause: error }) : error
}
