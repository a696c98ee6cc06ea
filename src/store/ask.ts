// One query on one connection: sent, answered or timed out, and what its failure means.
import type pg from 'pg'
import { Outage } from '../base/fault.ts'
import { isLoginRefused, isTransient, readSqlstate, sqlstate } from './sqlstate.ts'

/** Runs one query. Throws Outage where a retry may help. */
export type Ask = (query: pg.QueryConfig) => Promise<pg.QueryResult>

/** `wasRefused`: by the driver, which sent nothing. */
export type OnFailure = (error: Error, wasRefused: boolean) => void

export type Done<Result> = (error: Error | null, result?: Result) => void

/**
 * Sends a query and waits for its answer. With a callback that the query has from the start, and a timer of our own: node-pg's promise and
 * its `query_timeout` set one later, and then V8 holds every query, its values and the bytes that were sent until the next full collection.
 * Failures are told to `onFailure` in the order of the answers.
 */
export async function ask<Result>(
  client: pg.PoolClient,
  timeoutMs: number,
  send: (done: Done<Result>) => void,
  onFailure?: OnFailure,
): Promise<Result> {
  try {
    return await new Promise((done, fail) => {
      let isSent = false
      const late = setTimeout(() => {
        fail(new Error('Query read timeout'))
        // What was sent behind it would wait as long.
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
    // Its own leads to the socket; this one to who asked.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/**
 * Why a transaction failed: the first failure where others only followed from it, and what the server said when it ended the connection
 * rather than that it is gone.
 */
export function explain(error: unknown, failure: Error | null, lastWords: Error | undefined): unknown {
  const isFollower = error instanceof Outage || readSqlstate(error) === sqlstate.inFailedTransaction
  const first = [failure, lastWords].find((one) => readSqlstate(one) !== null)
  return isFollower && first !== undefined ? toFault(first) : error
}

/** Runs a database call and turns what a retry may mend into an Outage. */
export async function guard<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw toFault(error)
  }
}

/** The same for a new connection: whatever the server says to it, no statement of ours has caused it. It may be closed for maintenance. */
export async function guardConnect<T>(connect: () => Promise<T>): Promise<T> {
  try {
    return await guard(connect)
  } catch (error) {
    if (readSqlstate(error) === null) throw error
    throw new Outage('PostgreSQL accepts no connection to the database', { cause: error })
  }
}

function toFault(error: unknown): unknown {
  // A password is being changed, say. Whoever asks cannot mend it, and the operator reads which of both it is.
  if (isLoginRefused(error))
    return new Outage('PostgreSQL refuses the user or the password of the database URL', { cause: error })
  return isTransient(error) ? new Outage('the database is not available', { cause: error }) : error
}
