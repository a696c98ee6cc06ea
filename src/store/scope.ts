// The scope of a statement: the workspaces whose rows its transaction may see in tables with row security.
import type pg from 'pg'
import { isUuid } from '../base/ids.ts'

const everything = '*'

/**
 * Keyed by the statement's text, so that each text is parsed once. A number is the position ($n) of the parameter that holds the workspace
 * id, or an array of ids.
 */
const kinds = new Map<string, number | 'all' | null>()

/**
 * Returns the scope that the line `-- scope: …` of the statement asks for: the ids in a parameter (`$1`), or `all` workspaces, which the
 * database denies to fronts. Empty if there is no such line, since the statement uses no table with row security. Throws if the parameter
 * holds anything but ids.
 */
export function readStatementScope(name: string, text: string, values: readonly unknown[]): string {
  let kind = kinds.get(text)
  if (kind === undefined) {
    const line = /^-- scope: (?:\$(\d+)|(all))$/m.exec(text)
    kind = line === null ? null : line[2] === 'all' ? 'all' : Number(line[1])
    kinds.set(text, kind)
  }
  if (kind === null) return ''
  if (kind === 'all') return everything
  const value = values[kind - 1]
  const ids = [...new Set(Array.isArray(value) ? value : [value])]
  // Another separator or a star would widen the scope.
  if (ids.some((id) => typeof id !== 'string' || !isUuid(id)))
    throw new Error(`parameter ${kind} of the statement ${name} must hold ids of workspaces`)
  return ids.join(',')
}

export type Scopes = {
  /** Returns the statement that sets the scope for the rest of the transaction; null if that scope is set already. */
  change(scope: string): pg.QueryConfig | null
}

/** Tracks the scope of one transaction. The scope ends with the transaction, so the next borrower of the session does not inherit it. */
export function makeScopes(): Scopes {
  let current = ''
  return {
    change(scope) {
      if (scope === current) return null
      current = scope
      return { name: 'scope', text: "select set_config('tracewright.scope', $1, true)", values: [scope] }
    },
  }
}
