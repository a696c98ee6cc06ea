import test from 'ava'
import { isAllowed, states } from '../../src/decisions/lifecycle.ts'

test('the lifecycle has exactly seven transitions, and a decision reaches active only from shadow', (t) => {
  const allowed = states.flatMap((from) => states.filter((to) => isAllowed(from, to)).map((to) => `${from} -> ${to}`))
  t.deepEqual(allowed, [
    'proposed -> shadow',
    'proposed -> disabled',
    'shadow -> active',
    'shadow -> disabled',
    'active -> shadow',
    'active -> disabled',
    'disabled -> shadow',
  ])
})
