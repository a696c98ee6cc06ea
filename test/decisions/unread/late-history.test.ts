// Executions that arrive more than a day late, repeatedly, while the history is being recounted for the first of them.
import test from 'ava'
import { advanceUnread, keepUnread, type UnreadSubject } from '../../../src/decisions/unread/advance-unread.ts'
import { agentIdOf } from '../../_kit/events.ts'
import { useDatabase } from '../../_kit/use-database.ts'
import { dayMs, shadowMs, store, untilSeen } from '../_gated.ts'
import { makeBlocks, makeSession, makeUnread } from './_unread.ts'

const world = useDatabase()
const { db } = world

const settings = { floor: 0.95, alpha: 0.05 }
const nowUs = (shadowMs + 5 * dayMs) * 1_000

test('a history is counted completely, even if each pass finds more late executions', async (t) => {
  const decision = await makeUnread(world)
  const { workspaceId } = decision
  const subject: UnreadSubject = {
    workspaceId,
    toolName: 'search',
    toolVersion: null,
    agentId: agentIdOf(workspaceId, 'agent'),
  }
  const look = async (batches: number) => {
    await untilSeen(world, workspaceId)
    return await db.tx(async (tx) => {
      const bounds = { batch: 20, batches }
      const options = { settings, heldOutSinceUs: null, nowUs, acceptedSinceUs: null, mayProve: true, bounds }
      const advanced = await advanceUnread(tx, subject, options)
      await keepUnread(tx, subject, advanced)
      return advanced
    })
  }
  await store(world, decision, makeBlocks(shadowMs, 100, 1))
  const stragglers = 12
  let completed = 0
  for (let nth = 0; nth < stragglers; nth++) {
    await store(world, decision, makeSession(shadowMs + 60_000 + nth * 1_000, true))
    if ((await look(2)).complete) completed += 1
  }
  t.true(completed > 0)
  for (let looks = 0; !(await look(2)).complete; looks++) if (looks > 20) t.fail('it is never counted to its end')
  t.like((await look(100)).evidence.describe(), { trials: 100 + stragglers, wrong: stragglers, blocks: 100 })
})
