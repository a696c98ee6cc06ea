import test from 'ava'
import { planNames, readPlan } from '../../src/workspaces/plans.ts'

test('each plan has its caps, and null where there is none', (t) => {
  t.deepEqual(planNames.map(readPlan), [
    { name: 'self_hosted', eventQuota: null, agentCap: null, retentionDays: null },
    { name: 'free', eventQuota: 50_000, agentCap: 5, retentionDays: 30 },
    { name: 'team', eventQuota: 5_000_000, agentCap: 100, retentionDays: 90 },
  ])
})

test('a plan that there is not names those that there are', (t) => {
  t.throws(() => readPlan('enterprise'), { message: /self_hosted, free, team/ })
})
