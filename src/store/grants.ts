// The roles of the service and their privileges: applies sql/grants.sql as the owner of the tables.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { readSqlstate, sqlstate } from './sqlstate.ts'

const grantsFile = fileURLToPath(new URL('../../sql/grants.sql', import.meta.url))

/**
 * Applies the file in one transaction. Returns null if all is as the file says. If this user lacks the privileges for that, changes nothing and
 * returns what an administrator has to run. A service whose single user owns everything works without the roles.
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
