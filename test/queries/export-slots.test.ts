import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { openExportSlots } from '../../src/queries/export/export-slots.ts'

function makeSlots() {
  const slots = openExportSlots()
  /** Takes a slot and keeps it; returns the refusal, if there is one. */
  const refusal = (workspaceId: string, userId: string): Outage | undefined => {
    try {
      slots.take(workspaceId, userId)
      return undefined
    } catch (error) {
      if (error instanceof Outage) return error
      throw error
    }
  }
  const status = (workspaceId: string, userId: string) => refusal(workspaceId, userId)?.status
  return { take: slots.take, refusal, status }
}

test('a workspace has two slots, all together four; one that is returned twice counts once', (t) => {
  const { take, status } = makeSlots()
  const release = take('a', 'ada')
  take('a', 'bob')
  t.is(status('a', 'cleo'), 429)
  take('b', 'ada')
  take('c', 'bob')
  t.is(status('d', 'cleo'), 503)
  t.is(status('a', 'cleo'), 429, 'the nearer reason first')
  release()
  release()
  t.is(status('d', 'cleo'), undefined)
  t.is(status('a', 'cleo'), 503)
})

test('a user has two slots in all workspaces together, and others get the rest', (t) => {
  const { take, status } = makeSlots()
  const release = take('a', 'ada')
  take('b', 'ada')
  t.is(status('c', 'ada'), 429)
  t.is(status('c', 'bob'), undefined)
  t.is(status('a', 'bob'), undefined)
  release()
  t.is(status('c', 'ada'), undefined)
})

test('a refusal says whose exports must end first', (t) => {
  const { take, refusal } = makeSlots()
  take('a', 'ada')
  take('a', 'bob')
  t.is(refusal('a', 'cleo')?.detail, '2 exports of this workspace are running; try again when one of them has ended')
  take('b', 'ada')
  t.is(refusal('c', 'ada')?.detail, 'You have 2 exports running; try again when one of them has ended')
  take('c', 'bob')
  t.is(refusal('d', 'cleo')?.detail, 'Too many exports are running; try again when one of them has ended')
})
