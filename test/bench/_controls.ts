// The two control pipelines of the ingest benches, each in its own process on the bench's PostgreSQL.
import { startChild } from './_child.ts'
import { makeControlTable } from './_control-table.ts'
import type { IngestServer } from './_ingest-run.ts'
import type { BenchPostgres } from './_postgres.ts'
import type { Stops } from './_stops.ts'

export type ControlQuestion = { readonly url: string; readonly connections: number }

// As many connections as the service uses to store events.
const connections = 3

/** Creates the table of a control and starts the control. Resolves when it listens. */
export async function startControl(
  stops: Stops,
  postgres: BenchPostgres,
  name: 'naive' | 'competent',
): Promise<IngestServer> {
  const table = await makeControlTable(postgres, name)
  const child = stops.add(startChild(`./_${name}.ts`), async (started) => await started.end())
  const question: ControlQuestion = { url: postgres.url, connections }
  const port = await child.ask<number>(question)
  return { baseUrl: `http://127.0.0.1:${port}`, pid: child.pid, table, settles: false }
}
