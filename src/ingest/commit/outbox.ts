// Collects statements that are built one after the other, and sends them together.
import type { Tx } from '../../store/database.ts'

export type Sending = Pick<Tx, 'send'>

export type Outbox = Sending & {
  /** Sends the collected statements, in the order in which they were added. */
  flush(): void
}

/**
 * Counting a large group yields to the event loop, so that other requests do not wait for all of it. Statements are collected until then,
 * so that the rows they lock are not locked during these pauses.
 */
export function openOutbox(tx: Sending): Outbox {
  const statements: Parameters<Sending['send']>[] = []
  return {
    send: (...statement) => void statements.push(statement),
    flush() {
      for (const statement of statements.splice(0)) tx.send(...statement)
    },
  }
}
