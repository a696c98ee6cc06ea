// All writers of decisions at once: moves by hand, proposals, the gate, two loops, settings, and the deletion of the workspace.
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { makeDutyCycle } from '../../src/base/duty-cycle.ts'
import { gateDecision } from '../../src/decisions/gate-decision.ts'
import { type OptimizeDeps, optimizeWorkspace } from '../../src/decisions/optimize-workspace.ts'
import { proposeFor } from '../../src/decisions/propose/propose-for.ts'
import type { Database } from '../../src/store/database.ts'
import { openWorkspacePurge } from '../../src/workspaces/purge.ts'
import { openTestPool } from '../_kit/db.ts'
import { storeEvents } from '../_kit/events.ts'
import { makeRandom } from '../_kit/random.ts'
import { inSoak } from '../_kit/soak.ts'
import { type DecisionHttp, listOf, openDecisionHttp } from './_http.ts'
import { makeRun } from './propose/_runs.ts'

type Transition = { decision_id: string; from_state: string | null; to_state: string }
const states = ['shadow', 'active', 'disabled'] as const
const kindsOfTasks = ['a', 'b', 'c']
const lastsMs = 300
const deadlineMs = 100_000
const rounds = 1
/** How often decisions are moved and judged at least. */
const least = inSoak(5, 10)

let world: DecisionHttp
test.before(async () => {
  world = await openDecisionHttp()
})
test.after.always(async () => await world.stop())

const openPool = (url: string): Database => openTestPool(url, { name: 'storm', maxConnections: 24 })

test.serial(
  'whatever writes at once, nobody locks another out, no step is lost, and every change of the rules is counted',
  async (t) => {
    const { database, people } = world
    const { query } = database
    const db = openPool(database.url)
    const ada = await people.add()
    const { workspaceId } = ada
    const random = makeRandom(7)
    const { pick } = random
    const inputs = Array.from({ length: 6 }, (_, nth) => `input_${nth}`)
    for (const [nth, inputHash] of inputs.entries()) {
      const taskType = kindsOfTasks[nth % kindsOfTasks.length]
      const runs = Array.from({ length: 60 }, (_, ago) => makeRun(ago + 1, { inputHash, taskType: taskType ?? null }))
      await storeEvents(query, workspaceId, runs)
    }

    const errors: unknown[] = []
    const asked = { moves: 0, moved: 0, gated: 0, turns: 0 }
    const startedMs = performance.now()
    const isEnough = (): boolean => asked.moved > least && asked.gated > least && asked.turns > least / 2
    const isOver = (): boolean => {
      const lastedMs = performance.now() - startedMs
      return lastedMs > deadlineMs || (lastedMs > lastsMs && isEnough())
    }
    async function repeat(work: () => Promise<void>): Promise<void> {
      while (!isOver()) await work().catch((error: unknown) => errors.push(error))
    }
    const idsOf = async (): Promise<string[]> =>
      (await query<{ id: string }>(`select id from decisions where workspace_id = $1`, [workspaceId])).map(
        ({ id }) => id,
      )

    const propose = async (): Promise<void> => {
      const config = { task_type: pick(kindsOfTasks), min_samples: 5 }
      const input_hash = pick(inputs)
      const { status, text } = await world.post(ada, '', {
        type: 'reuse_identity',
        tool_name: 'search',
        input_hash,
        config,
      })
      if (status !== 201 && status !== 409) throw new Error(`${status} ${text}`)
    }
    const move = async (): Promise<void> => {
      const ids = await idsOf()
      if (ids.length === 0) return
      asked.moves += 1
      const { status, text } = await world.post(ada, `/${pick(ids)}/transitions`, {
        to: pick(states),
        force: random.int(2) === 1,
      })
      if (status === 200) asked.moved += 1
      else if (status !== 409) throw new Error(`${status} ${text}`)
    }
    let servedOtherwise = 0
    const judge = async (id: string) => {
      const gated = await gateDecision({ db, nowMs: Date.now }, workspaceId, id)
      if (gated.verdict !== 'unmeasured') asked.gated += 1
      if (gated.touchesRules && gated.moved === null) servedOtherwise += 1
      return gated
    }
    const gate = async (): Promise<void> => {
      for (const id of await idsOf()) await judge(id)
    }
    const change = async (): Promise<void> => {
      // Simulates weeks: decisions in shadow get their trials, and disabled ones may be proposed again.
      await query(
        `update decisions set shadow_at = shadow_at - interval '10 days', disabled_at = disabled_at - interval '40 days'
       where (workspace_id, id) in (select workspace_id, id from decisions where workspace_id = $1 for update skip locked)`,
        [workspaceId],
      )
      await db.run('workspaces/change-settings', [
        workspaceId,
        null,
        null,
        3_600 + random.int(1_000),
        false,
        null,
        null,
        null,
        false,
        null,
      ])
      await sleep(5)
    }
    const deps: OptimizeDeps = {
      db,
      judge: async (_workspaceId, id) => await judge(id),
      detectFindings: async () => ({ opened: 0, updated: 0, resolved: 0 }),
      publishRules: () => undefined,
      onProposed: () => undefined,
      onMoved: () => undefined,
      onFound: () => undefined,
      onStep: () => undefined,
      onError: (error) => errors.push(error),
      findEveryMs: 1,
      passEveryMs: 1,
      judgeEveryMs: 1,
      turnMs: 1_000,
      nowMs: () => performance.now(),
    }
    const { signal } = new AbortController()
    const loop = async (): Promise<void> => {
      await optimizeWorkspace(deps, { pace: makeDutyCycle(1, signal), signal }, workspaceId)
      asked.turns += 1
    }
    await Promise.all([propose, propose, move, move, move, gate, gate, loop, loop, change].map(repeat))
    t.log(asked)

    t.deepEqual(
      errors.map((error) => (error instanceof Error ? error.message : error)),
      [],
    )
    t.true(isEnough())
    const trail = await query<Transition>(
      `select decision_id, from_state, to_state from decision_transitions where workspace_id = $1 order by at, id`,
      [workspaceId],
    )
    const decisions = await query<{ id: string; state: string }>(
      `select id, state from decisions where workspace_id = $1`,
      [workspaceId],
    )
    for (const { id, state } of decisions) {
      const steps = trail.filter((step) => step.decision_id === id)
      t.deepEqual(
        steps.map((step) => step.from_state),
        [null, ...steps.slice(0, -1).map((step) => step.to_state)],
      )
      t.is(steps.at(-1)?.to_state, state)
    }
    const [rules] = await query<{ version: number }>(
      `select rules_version::int as version from workspaces where id = $1`,
      [workspaceId],
    )
    const changes = trail.filter((step) => step.from_state === 'active' || step.to_state === 'active').length
    t.is(rules?.version, changes + servedOtherwise)
    t.is(listOf(await world.get(ada, '?limit=200')).length, Math.min(200, decisions.length))
    await db.stop()
  },
)

test.serial(
  'the end of a workspace meets whoever moves, judges and proposes there, and locks nobody out',
  async (t) => {
    const { database, people } = world
    const { query } = database
    const db = openPool(database.url)
    const random = makeRandom(11)
    const errors: unknown[] = []
    const fail = (error: unknown): void => void errors.push(error)
    const purge = openWorkspacePurge({ db, onError: fail, tickMs: 3_600_000, batchRows: 6, settleMs: 0 })
    const round = async (): Promise<void> => {
      const ada = await people.add()
      const { workspaceId } = ada
      await storeEvents(
        query,
        workspaceId,
        Array.from({ length: 60 }, (_, ago) => makeRun(ago + 1)),
      )
      const ids: string[] = []
      for (const input_hash of ['a', 'b', 'c', 'input']) {
        const { id } = await world.propose(ada, { type: 'reuse_identity', tool_name: 'search', input_hash })
        await world.take(ada, id, 'shadow')
        ids.push(id)
      }
      await query(`update decisions set shadow_at = shadow_at - interval '1 day' where workspace_id = $1`, [
        workspaceId,
      ])
      const gone = new AbortController()
      const until = async (work: () => Promise<unknown>): Promise<void> => {
        while (!gone.signal.aborted) await work().catch(fail)
      }
      const moves = async (): Promise<void> => {
        const { status, text } = await world.post(ada, `/${random.pick(ids)}/transitions`, {
          to: random.pick(states),
          force: true,
        })
        if (status >= 500) throw new Error(text)
      }
      const judges = async (): Promise<void> =>
        void (await gateDecision({ db, nowMs: Date.now }, workspaceId, random.pick(ids)))
      const loops = async (): Promise<unknown> => await proposeFor({ db }, workspaceId)
      const ends = async (): Promise<void> => {
        await sleep(random.int(30))
        await db.tx(async (tx) => {
          await tx.row('workspaces/lock', [workspaceId])
          await tx.run('workspaces/soft-delete', [workspaceId])
        })
        await purge.pass()
        await sleep(5)
        await purge.pass()
        gone.abort()
      }
      await Promise.all([until(moves), until(moves), until(judges), until(judges), until(loops), ends()])
    }
    for (let nth = 0; nth < rounds; nth += 1) await Promise.all([round(), round()])
    await purge.pass()
    t.deepEqual(
      errors.map((error) => (error instanceof Error ? [error.message, error.cause] : error)),
      [],
    )
    const left = await query(
      `select d.id from decisions d join workspaces w on w.id = d.workspace_id where w.purged_at is not null`,
    )
    t.deepEqual(left, [])
    await purge.stop()
    await db.stop()
  },
)
