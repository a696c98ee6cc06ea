// Statements that are made one after the other, and sent together.
import type { Tx } from '../../store/database.ts'

export type Sending = Pick<Tx, 'send'>

export type Outbox = Sending & {
  /** Sends what was added, in its order. */
  flush(): void
}

/**
 * A large group is counted with turns of the event loop in between, so that other requests do not wait for all of it. The rows that its
 * statements lock must not be locked meanwhile.
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
