// Users for tests whose routes are served over HTTP, on a separate database.
import { makeDatabase, type TestDatabase } from './db.ts'
import { type Http, openHttp } from './http.ts'
import { openPeople, type People } from './people.ts'

export type PeopleHttp = {
  readonly database: TestDatabase
  readonly people: People
  readonly http: Http
  stop(): Promise<void>
}

export async function openPeopleHttp(options?: Parameters<typeof openPeople>[1]): Promise<PeopleHttp> {
  const database = await makeDatabase()
  const people = await openPeople(database.db, options)
  const http = await openHttp(people.routes, people.authenticator)
  return {
    database,
    people,
    http,
    async stop() {
      await http.stop()
      await people.stop()
      await database.stop()
    },
  }
}
