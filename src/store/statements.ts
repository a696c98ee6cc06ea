// Loads the SQL of the service: one statement per file under sql/query, named `<capability>/<name>`.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type Statements = ReadonlyMap<string, string>

const queryFolder = fileURLToPath(new URL('../../sql/query/', import.meta.url))

/** Reads every statement once. The name is the path below sql/query without `.sql`. */
export function loadStatements(folder: string = queryFolder): Statements {
  const statements = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    for (const file of readdirSync(`${folder}/${entry.name}`)) {
      if (!file.endsWith('.sql')) continue
      statements.set(`${entry.name}/${file.slice(0, -4)}`, readFileSync(`${folder}/${entry.name}/${file}`, 'utf8'))
    }
  }
  return statements
}
