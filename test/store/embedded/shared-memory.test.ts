// Servers of tests are killed, and their folders removed. No later server then removes what they have left in /dev/shm.
import test from 'ava'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import { readVariable } from '../../_kit/db.ts'
import { prepareClusters } from '../../_kit/prepared-clusters.ts'

async function readMemoryType(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ type: string }>(`select current_setting('dynamic_shared_memory_type') as type`))
      .rows[0]?.type
  } finally {
    await client.end()
  }
}

test('the server of the run and those on prepared clusters keep their shared memory in their folders', async (t) => {
  const clusters = await prepareClusters()
  const server = await startEmbeddedPostgres({ dataDir: clusters.makeDir(t), onLine: () => undefined })
  t.is(await readMemoryType(server.url('postgres')), 'mmap')
  await server.stop()
  // TimescaleDB may be a server that the run has not started.
  if (process.env['TEST_DATABASE'] !== 'timescale')
    t.is(await readMemoryType(readVariable('TEST_DATABASE_URL')), 'mmap')
})
