// The roles of the service and what they may do: sql/grants.sql, run by whoever owns the tables.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { readSqlstate, sqlstate } from './sqlstate.ts'

const grantsFile = fileURLToPath(new URL('../../sql/grants.sql', import.meta.url))

/**
 * In one transaction. Null where all is as the file says. Where this user may not make it so, nothing is changed, and the answer says
 * what an administrator has to run: a service whose one user owns everything works without.
 */
export async function applyGrants(client: pg.Client): Promise<string | null> {
  try {
    // Several statements in one message are a transaction.
    await client.query(readFileSync(grantsFile, 'utf8'))
    return null
  } catch (error) {
    if (readSqlstate(error) === sqlstate.insufficientPrivilege) return (error as Error).message
    throw error
  }
}
