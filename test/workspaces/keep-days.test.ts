import test from 'ava'
import { readKeepDays } from '../../src/workspaces/keep-days.ts'

const daysS = (days: number): number => days * 86_400
const config = { RETENTION_DAYS: undefined, INGEST_MAX_AGE_S: daysS(7) }

test('each plan has its days, and the self-hosted one keeps everything unless configured otherwise', (t) => {
  t.is(readKeepDays(config, 'free'), 30)
  t.is(readKeepDays(config, 'team'), 90)
  t.is(readKeepDays(config, 'self_hosted'), null)
  const told = { ...config, RETENTION_DAYS: 14 }
  t.is(readKeepDays(told, 'self_hosted'), 14)
  t.is(readKeepDays(told, 'free'), 30)
})

test('a workspace may choose fewer days than its plan, and never more', (t) => {
  t.is(readKeepDays(config, 'free', 14), 14)
  t.is(readKeepDays(config, 'free', 31), 30)
  t.is(readKeepDays(config, 'self_hosted', 14), 14)
  t.is(readKeepDays(config, 'self_hosted', 3), 8, 'spans are still accepted for 7 days')
})

test('data that could still be sent is not removed: a longer maximum age of spans extends every plan', (t) => {
  t.is(readKeepDays({ ...config, INGEST_MAX_AGE_S: daysS(60) }, 'free'), 61)
  t.is(readKeepDays({ ...config, INGEST_MAX_AGE_S: daysS(60) }, 'team'), 90)
  t.is(readKeepDays({ ...config, INGEST_MAX_AGE_S: daysS(60) + 1 }, 'free'), 62)
})
