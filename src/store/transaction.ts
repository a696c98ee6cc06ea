// Runs statements on borrowed connections: one alone, several in a transaction, or reads in a snapshot.
import type pg from 'pg'
import { type Ask, ask, explain, guard, type OnDone, type OnFailure } from './ask.ts'
import { CopyIn } from './copy-in.ts'
import { type Copy, copyOut } from './copy-out.ts'
import type { Database, Runner, Snapshot, Tx, TxOptions } from './database.ts'
import { makeScopes, readStatementScope } from './scope.ts'
import type { Statements } from './statements.ts'

export type TransactionOptions = {
  /** Borrows a connection of the pool. Throws Outage. */
  readonly borrow: () => Promise<pg.PoolClient>
  readonly statements: Statements
  /** How long an answer may take before the connection counts as broken, in ms. */
  readonly queryTimeoutMs: number
  /** The error with which the server ended the connection, if any. */
  readonly lastWordsOf: (client: pg.PoolClient) => Error | undefined
}

const begin = 'begin isolation level repeatable read'

export function makeTransactions(options: TransactionOptions): Omit<Database, 'counts' | 'stop'> {
  const { borrow, statements, queryTimeoutMs, lastWordsOf } = options
  const runOn =
    (client: pg.PoolClient, onFailure?: OnFailure): Ask =>
    async (query) =>
      await guard(
        async () => await ask<pg.QueryResult>(client, queryTimeoutMs, (done) => client.query(query, done), onFailure),
      )

  const copyOn =
    (client: pg.PoolClient, onFailure: OnFailure) =>
    async (statement: string, parts: readonly Uint8Array[]): Promise<unknown> => {
      const send = (done: OnDone<undefined>): void =>
        void client.query(new CopyIn(statement, parts, (error) => done(error ?? null)))
      return await guard(async () => await ask(client, queryTimeoutMs, send, onFailure))
    }

  async function tx<T>(
    work: (tx: Tx) => Promise<T>,
    { snapshot = false, readsFirst = false }: TxOptions = {},
  ): Promise<T> {
    const client = await borrow()
    const scopes = makeScopes()
    let failure: Error | null = null
    let isRefused = false
    const onFailure: OnFailure = (error, wasRefused) => {
      failure ??= error
      isRefused ||= wasRefused
    }
    const run = runOn(client, onFailure)
    const copy = copyOn(client, onFailure)
    const sent: Promise<unknown>[] = []
    const add = (answer: Promise<unknown>): void => {
      // Awaited at the end. If the work throws before that, its error reports the failure.
      answer.catch(() => undefined)
      sent.push(answer)
    }
    let broken = false
    try {
      const begun = run({ text: snapshot ? begin : 'begin' })
      add(begun)
      if (!readsFirst) await begun
      // If BEGIN failed, the rows were not read in the transaction and must not be returned.
      const runner = makeRunner(async (query, scope) => {
        const naming = scopes.change(scope)
        if (naming !== null) add(run(naming))
        return (await Promise.all([run(query), begun]))[0]
      }, statements)
      const result = await work({
        ...runner,
        send: (statement, values) => add(runner.run(statement, values)),
        copy: (statement, parts) => add(copy(statement, parts)),
      })
      // The server never received a statement that the driver refused, and would commit the others.
      if (!isRefused) add(run({ text: 'commit' }))
      for (const answer of sent) await answer
      return result
    } catch (error) {
      const isEnded = await end(run, 'rollback')
      // A prepared statement that the driver refused to send cannot be sent on this connection again.
      broken = !isEnded || isRefused
      throw explain(error, failure, isEnded ? undefined : lastWordsOf(client))
    } finally {
      client.release(broken)
    }
  }

  async function snapshot<T>(work: (tx: Snapshot) => Promise<T>): Promise<T> {
    const client = await borrow()
    const run = runOn(client)
    const copy = async (copies: readonly Copy[]): Promise<void> => await copyOut(client, queryTimeoutMs, copies)
    const scopes = makeScopes()
    try {
      const begun = run({ text: begin })
      const runner = makeRunner(async (query, scope) => {
        const naming = scopes.change(scope)
        return naming === null ? await run(query) : (await Promise.all([run(naming), run(query)]))[1]
      }, statements)
      const [result] = await Promise.all([work({ ...runner, copyOut: copy }), begun])
      void end(run, 'commit').then((ended) => client.release(!ended))
      return result
    } catch (error) {
      client.release(!(await end(run, 'rollback')))
      throw error
    }
  }

  async function runAlone(query: pg.QueryConfig, scope: string): Promise<pg.QueryResult> {
    const client = await borrow()
    const run = runOn(client)
    // A failed statement may have left the connection in any state.
    let broken = true
    try {
      const naming = makeScopes().change(scope)
      const result = naming === null ? await run(query) : await runScoped(run, naming, query)
      broken = false
      return result
    } finally {
      client.release(broken)
    }
  }

  return { ...makeRunner(runAlone, statements), tx, snapshot }
}

/** Sends all four statements at once, so that the scope costs no round trip. If one fails, COMMIT rolls back. */
async function runScoped(run: Ask, naming: pg.QueryConfig, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const answers = [run({ text: 'begin' }), run(naming), run(query), run({ text: 'commit' })] as const
  return (await Promise.all(answers))[2]
}

type ScopedAsk = (query: pg.QueryConfig, scope: string) => Promise<pg.QueryResult>

function makeRunner(run: ScopedAsk, statements: Statements): Runner {
  async function query<Row extends object>(name: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
    const text = statements.get(name)
    if (text === undefined) throw new Error(`unknown statement ${name}`)
    const scope = readStatementScope(name, text, values)
    return (await run({ name, text, values: [...values] }, scope)) as pg.QueryResult<Row>
  }
  return {
    rows: async <Row extends object>(name: string, values: readonly unknown[] = []) =>
      (await query<Row>(name, values)).rows,
    row: async <Row extends object>(name: string, values: readonly unknown[] = []) =>
      (await query<Row>(name, values)).rows[0] ?? null,
    run: async (name, values = []) => (await query(name, values)).rowCount ?? 0,
  }
}

/** Ends a transaction. Returns false if that fails, so that the connection must be discarded. */
async function end(run: Ask, how: 'commit' | 'rollback'): Promise<boolean> {
  try {
    await run({ text: how })
    return true
  } catch {
    // The caller already gets the failure of the work, and rows that were read are valid: this error only means that the connection is
    // gone.
    return false
  }
}
