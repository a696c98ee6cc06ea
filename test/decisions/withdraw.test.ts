// Through the running service: a rule that a user switches off is no longer handed out.
import test from 'ava'
import { startService } from '../_kit/serve.ts'
import { untilWithin } from '../_kit/standstill.ts'

type Rules = { version: number; rules: { decision_id: string }[] }

test('a rule that a user disables is gone from the next fetch within a second', async (t) => {
  const service = await startService()
  try {
    const path = `/v1/workspaces/${service.workspaceId}/decisions`
    const made = await service.call('POST', path, { body: { type: 'reuse_identity', tool_name: 'search' } })
    const { id } = made.json as { id: string }
    const take = async (to: string): Promise<void> => {
      const { status, text } = await service.call('POST', `${path}/${id}/transitions`, {
        body: { to, force: to === 'active' },
      })
      t.is(status, 200, text)
    }
    const listRules = async (): Promise<string[]> => {
      const { json } = await service.call('GET', '/v1/apply/rules', { token: service.key })
      return (json as Rules).rules.map(({ decision_id: rule }) => rule)
    }
    // The front holds an empty list of rules in memory first, and then the rule itself.
    t.deepEqual(await listRules(), [])
    await take('shadow')
    t.deepEqual(await listRules(), [])
    await take('active')
    await untilWithin(1_000, async () => (await listRules()).includes(id))
    t.deepEqual(await listRules(), [id])
    await take('disabled')
    await untilWithin(1_000, async () => (await listRules()).length === 0)
    t.deepEqual(await listRules(), [])
  } finally {
    await service.stop()
  }
})
