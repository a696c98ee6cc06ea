// The controls: with one mechanism taken out, the same scenarios find what it is there for. A fault test that cannot fail proves nothing.
import test, { type ExecutionContext } from 'ava'
import type { Mutation } from './_mutant.ts'
import { freezeOwner, killFront, raceForQuota } from './_process-scenarios.ts'
import { openScene, type Scene } from './_scene.ts'
import type { Result } from './_under.ts'

async function expectFault(
  t: ExecutionContext,
  scene: Scene,
  run: (on: Scene) => Promise<Result>,
  fault: RegExp,
): Promise<void> {
  const { faults } = await run(scene)
  t.log(faults.join('; '))
  t.true(
    faults.some((one) => fault.test(one)),
    `${fault} is not among ${faults.length} faults`,
  )
}

async function withScene(mutations: readonly Mutation[], act: (scene: Scene) => Promise<void>): Promise<void> {
  const scene = await openScene({ mutations, slack: 2 })
  try {
    await act(scene)
  } finally {
    await scene.stop()
  }
}

const noFence: Mutation = {
  file: 'src/actors/host.ts',
  from: "if (!isOwner(partition, epoch)) return { ok: false, code: 'not_owner' }\n    return options.mayAnswer() ? null : { ok: false, code: 'fenced' }",
  to: 'return null',
}

const noLock: Mutation = {
  file: 'sql/query/ingest/lock-usage-month.sql',
  from: `insert into usage_months as m (workspace_id, month)
values ($1, date_trunc('month', now() at time zone 'UTC')::date)
on conflict (workspace_id, month) do update set accepted = m.accepted
returning accepted`,
  to: `select accepted from usage_months
where workspace_id = $1 and month = date_trunc('month', now() at time zone 'UTC')::date`,
}

test.serial('where owners do not ask whether they may answer, the frozen one answers what waited in it', async (t) => {
  t.timeout(100_000)
  await withScene([noFence], async (scene) => await expectFault(t, scene, freezeOwner, /^the zombie answered/))
})

test.serial('where the count of the month is not locked, more than the quota is stored', async (t) => {
  t.timeout(100_000)
  await withScene([noLock], async (scene) => await expectFault(t, scene, raceForQuota, /the cap of \d+ was passed/))
})

test.serial('where a span is not known again, one is stored twice', async (t) => {
  t.timeout(100_000)
  await withScene([], async (scene) => {
    await scene.database.query(`create function blur() returns trigger language plpgsql as
      'begin new.start_time := new.start_time + random() * interval ''1 millisecond''; return new; end'`)
    await scene.database.query('create trigger blur before insert on events for each row execute function blur()')
    await expectFault(t, scene, killFront, /are stored twice/)
  })
})
