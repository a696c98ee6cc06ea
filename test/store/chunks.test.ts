import test from 'ava'
import { compressEvents, readChunking, setChunkHours } from '../../src/store/chunks.ts'
import { readText } from '../../src/store/copy-out.ts'
import { makeDatabase, type TestDatabase } from '../_kit/db.ts'

let base: TestDatabase
test.before(async () => {
  base = await makeDatabase()
})
test.after.always(async () => await base.stop())

test('without TimescaleDB the tables are plain, and what is asked of chunks does nothing', async (t) => {
  t.deepEqual(await readChunking(base.db), { version: null, license: null, chunked: false })
  t.false(await setChunkHours(base.db, 6))
  t.false(await compressEvents(base.db, 192))
  t.deepEqual(await base.query('select chunk_tables() as made'), [{ made: 0 }])
  t.deepEqual(await base.query("select * from list_chunks_before('infinity')"), [])
})

test('connections have the setting for unlimited decompression, which plain PostgreSQL accepts as well', async (t) => {
  const [row] = await base.db.rows('store/read-chunking')
  t.truthy(row)
  const shown: (string | null)[] = []
  const query = "select current_setting('timescaledb.max_tuples_decompressed_per_dml_transaction')"
  await base.db.snapshot(async (tx) => await tx.copyOut([{ query, take: (read) => shown.push(readText(read)) }]))
  t.deepEqual(shown, ['0'])
})
