// An owner is frozen in the middle of a fenced write: between the fence and the commit.
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../_kit/until.ts'
import type { Part } from '../cluster/_part.ts'
import type { MortalDatabase, Query } from './_database.ts'
import type { Mutation } from './_mutant.ts'
import type { Scene, SceneOptions } from './_scene.ts'
import { expectFault, type Result, readFence, under } from './_under.ts'

// Each fenced transaction records itself in a row, and stays open for a moment.
const tell: Mutation = {
  file: 'src/roles/fenced-database.ts',
  from: 'await fenced(tx, fence)',
  to: `await fenced(tx, fence)
        const member = process.env['TRACEWRIGHT_MEMBER_NAME']
        tx.copy("set local application_name = 'fenced " + member + "'", [])
        tx.copy('copy fenced_writes (pid, epoch) from stdin', [Buffer.from(fence.pid + '\\t' + fence.epoch + '\\n')])
        await new Promise((done) => setTimeout(done, 400))`,
}

const fence = 'sql/query/actors/hold-epoch.sql'
const noFence: Mutation = { file: fence, from: 'for share of p', to: '' }
// Otherwise the server ends the write of a frozen process before it could commit.
const noBound: Mutation = { file: fence, from: "session_timeout', '2000'", to: "session_timeout', '60000'" }

const settings = { OPTIMIZER_INTERVAL_S: 1, OPTIMIZER_TICK_S: 1, OPTIMIZER_FINDINGS_S: 1 }

export const writing: SceneOptions<MortalDatabase> = { settings, mutations: [tell] }
export const writingWithoutFence: SceneOptions<MortalDatabase> = { settings, mutations: [tell, noFence, noBound] }

// Reads the owner of the partition as late in the transaction as possible.
const schema = `
  create table fenced_writes (id bigserial primary key, pid int, epoch bigint, epoch_at_commit bigint);
  create function look_at_epoch() returns trigger language plpgsql as $$
    begin
      update fenced_writes set epoch_at_commit = (select epoch from partitions where pid = new.pid) where id = new.id;
      return null;
    end $$;
  create constraint trigger look_at_epoch after insert on fenced_writes
    deferrable initially deferred for each row execute function look_at_epoch();
`
/** I4: nothing commits under an epoch that is over, though the partition may be claimed while the write is open. */
export const freezeWriter = (scene: Scene): Promise<Result> =>
  under(scene, { ingest: ['broken'] }, async (_load, faults) => {
    const { query } = scene.database
    const [known] = await query<{ is_there: boolean }>(`select to_regclass('fenced_writes') is not null as is_there`)
    if (known?.is_there !== true) await query(schema)
    const writer = await freezeOne(scene)
    const countOwned = async (): Promise<number> =>
      (await query('select from partitions where owner = $1', [writer.name])).length
    // PostgreSQL ends its open transaction, which holds one of the partitions.
    await until(async () => (await countOwned()) === 0)
    writer.signal('SIGCONT')
    await until(async () => !(await isOpen(query, writer)))
    await until(async () => (await readFence(writer)) === null)
    const rows = await query<{ is_stale: boolean }>('select epoch_at_commit <> epoch as is_stale from fenced_writes')
    const stale = rows.filter((row) => row.is_stale).length
    if (stale > 0) faults.push(`${stale} fenced writes were committed under an epoch that was over`)
    await query('truncate fenced_writes')
    return { written: rows.length }
  })

/** The control: without the lock of the fence the violation is found. */
export const freezeWriterWithoutFence = async (scene: Scene): Promise<Result> =>
  expectFault(await freezeWriter(scene), /under an epoch that was over/)

const isOpen = async (query: Query, { name }: Part): Promise<boolean> =>
  (
    await query(
      `select from pg_stat_activity where datname = current_database() and state = 'idle in transaction' and application_name = $1`,
      [`fenced ${name}`],
    )
  ).length > 0

/** Resolves with an actor that is frozen while its write is open. */
async function freezeOne({ cluster, database }: Scene): Promise<Part> {
  let frozen: Part | null = null
  await until(async () => {
    for (const actor of cluster.actors) {
      if (!(await isOpen(database.query, actor))) continue
      actor.signal('SIGSTOP')
      // Data in transit to the database has arrived.
      await sleep(100)
      frozen = (await isOpen(database.query, actor)) ? actor : null
      if (frozen !== null) return true
      actor.signal('SIGCONT')
    }
    return false
  }, 30_000)
  if (frozen === null) throw new Error('nobody writes')
  return frozen
}
