// Blocks with more executions than one statement reads: a session must not be judged by its first calls alone.
import test from 'ava'
import { advanceUnread } from '../../../src/decisions/unread/advance-unread.ts'
import type { UnreadStanding } from '../../../src/decisions/unread/unread-evidence.ts'
import { agentIdOf } from '../../_kit/events.ts'
import { useDatabase } from '../../_kit/use-database.ts'
import { dayMs, shadowMs, store } from '../_gated.ts'
import { makeSession, makeUnread } from './_unread.ts'

const world = useDatabase()

type Block = { readonly sessions: number; readonly rounds: number; readonly batch: number }

/** Counts one block in which each session runs the tool once in each round; models use the results of the last round alone. */
async function count({ sessions, rounds, batch }: Block): Promise<UnreadStanding> {
  const decision = await makeUnread(world)
  const { workspaceId } = decision
  const calls = Array.from({ length: sessions * rounds }, (_, at) => {
    const isLast = at >= sessions * (rounds - 1)
    return makeSession(shadowMs + at * 1_000, isLast, { session: `chat ${at % sessions}` })
  })
  await store(world, decision, calls.flat())
  const subject = { workspaceId, toolName: 'search', toolVersion: null, agentId: agentIdOf(workspaceId, 'agent') }
  const options = {
    settings: { floor: 0.95, alpha: 0.05 },
    heldOutSinceUs: null,
    nowUs: (shadowMs + 2 * dayMs) * 1_000,
    acceptedSinceUs: null,
    mayProve: true,
    bounds: { batch, batches: 5 },
  }
  const { evidence, complete } = await advanceUnread(world.db, subject, options)
  if (!complete) throw new Error('there is more to count')
  return evidence.describe()
}

const cases: readonly (readonly [string, Block, number])[] = [
  ['the sample of sessions is read whole', { sessions: 60, rounds: 2, batch: 110 }, 50],
  ['a block with exactly as many executions as a statement reads', { sessions: 10, rounds: 3, batch: 30 }, 9],
  [
    'sessions with more executions than a statement reads are left out, not cut',
    { sessions: 10, rounds: 3, batch: 20 },
    6,
  ],
  ['a block that is read whole', { sessions: 10, rounds: 3, batch: 31 }, 10],
]
for (const [title, block, trials] of cases)
  test(title, async (t) => {
    t.like(await count(block), { blocks: 1, trials, wrong: trials })
  })

test('a session that alone has more executions than a statement reads is judged by the first ones', async (t) => {
  t.like(await count({ sessions: 1, rounds: 30, batch: 20 }), { blocks: 1, trials: 1, wrong: 0 })
})
