// A database for all tests of a file. A file that awaits one before it declares its tests could not share a process with others.
import test from 'ava'
import { nameDatabase, type TestDatabase } from './db.ts'

/** Makes the database before the first test of the file and drops it after the last one. */
export function useDatabase(): TestDatabase {
  const { create, ...database } = nameDatabase()
  test.before(create)
  test.after.always(database.stop)
  return database
}
