// The statement files and the information in their headers.
import { loadStatements } from '../../src/store/statements.ts'

export type Statement = { readonly name: string; readonly text: string; readonly indexes: readonly string[] }

/** Every statement with the indexes that its header names. */
export const statements: readonly Statement[] = [...loadStatements()].map(([name, text]) => ({
  name,
  text,
  indexes: (/^-- index: (.+)$/m.exec(text)?.[1] ?? '')
    .split(',')
    .map((index) => index.trim())
    .filter(Boolean),
}))
