// A database as the rest of the service sees it: named statements, transactions and snapshots.
import type { Copy } from './copy-out.ts'

/** Runs statements by name. Rows are plain objects keyed by column name. Throws Outage if a retry may help. */
export type Runner = {
  rows<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row[]>
  /** The first row, or null. */
  row<Row extends object>(statement: string, values?: readonly unknown[]): Promise<Row | null>
  /** Returns how many rows the statement changed. */
  run(statement: string, values?: readonly unknown[]): Promise<number>
}

/** One open transaction. A call sends its statement before it returns, so calls that are not awaited in between share one round trip. */
export type Tx = Runner & {
  /** Sends a statement whose answer is awaited at the commit. If the statement fails, nothing is committed and `tx` throws its error. */
  send(statement: string, values?: readonly unknown[]): void
  /** Like `send`, for `copy … from stdin`. The bytes may be read until `tx` ends, so they must not change before. */
  copy(statement: string, parts: readonly Uint8Array[]): void
}

export type TxOptions = {
  /** All statements see the database as of the first one. Changing a row that was changed since then fails with 40001. */
  readonly snapshot?: boolean
  /** The work begins with a read or a lock and awaits its answer. BEGIN is then sent together with its first statements. */
  readonly readsFirst?: boolean
}

/** One transaction for reads, all as of its first statement. BEGIN is sent together with that statement. */
export type Snapshot = Runner & {
  /** Reads the rows of queries by binary COPY (`store/copy-out.ts`). Throws Outage, and what a `take` throws. */
  copyOut(copies: readonly Copy[]): Promise<void>
}

export type Database = Runner & {
  /**
   * Runs the work in one transaction: commits when it resolves, rolls back when it throws. Throws Outage if the answer to COMMIT is lost,
   * since its outcome is unknown.
   */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>
  /** Runs reads in one snapshot. The end of the transaction is not awaited, since nothing depends on it. */
  snapshot<T>(work: (tx: Snapshot) => Promise<T>): Promise<T>
  /** Numbers of open connections, of idle ones, and of callers that wait for one. */
  counts(): { total: number; idle: number; waiting: number }
  stop(): Promise<void>
}
