// The scope of a statement: the workspaces whose rows its transaction may see in tables with row security.
import type pg from 'pg'

const everything = '*'
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** By the text, which is read once. A number is the place of the parameter that holds the workspace, or an array of them. */
const kinds = new Map<string, number | 'all' | null>()

/**
 * What the line `-- scope: …` of the statement asks for: the ids in a parameter (`$1`), or `all` workspaces, which a front is refused. Empty
 * where it has no such line, as it uses no table with row security. Throws where the parameter holds anything but ids.
 */
export function readScope(name: string, text: string, values: readonly unknown[]): string {
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
  if (ids.some((id) => typeof id !== 'string' || !uuid.test(id)))
    throw new Error(`parameter ${kind} of the statement ${name} must hold ids of workspaces`)
  return ids.join(',')
}

export type Scopes = {
  /** The statement that names the scope for the rest of the transaction; null where it is the one that is named already. */
  change(scope: string): pg.QueryConfig | null
}

/** The scope of one transaction, which ends with it: the session keeps none for the next borrower. */
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
