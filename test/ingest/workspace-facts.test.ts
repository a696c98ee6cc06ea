import test from 'ava'
import { openWorkspaceFacts } from '../../src/ingest/workspace-facts.ts'
import type { Database } from '../../src/store/database.ts'

test('a workspace that is forgotten while it is being read is given to who waits, and read again by the next', async (t) => {
  const answers: ((row: object) => void)[] = []
  const db = { row: () => new Promise((done) => answers.push(done)) } as unknown as Database
  const facts = openWorkspaceFacts(db)
  const row = (plan: string): object => ({ plan, content_mode: 'full', redaction_secret: Buffer.alloc(32) })
  const first = facts.read('w')
  facts.forget('w')
  answers[0]?.(row('free'))
  t.is((await first)?.plan.name, 'free')
  const second = facts.read('w')
  answers[1]?.(row('team'))
  t.is((await second)?.plan.name, 'team')
  t.is((await facts.read('w'))?.plan.name, 'team')
  t.is(answers.length, 2)
})
