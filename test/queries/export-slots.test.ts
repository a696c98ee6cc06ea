import test from 'ava'
import { Outage } from '../../src/base/fault.ts'
import { openExportSlots } from '../../src/queries/export/export-slots.ts'

test('a workspace has two slots, all together four; one that is returned twice counts once', (t) => {
  const slots = openExportSlots()
  const status = (workspaceId: string): number | undefined => {
    try {
      slots.take(workspaceId)
      return undefined
    } catch (error) {
      if (error instanceof Outage) return error.status
      throw error
    }
  }
  const release = slots.take('a')
  slots.take('a')
  t.is(status('a'), 429)
  slots.take('b')
  slots.take('c')
  t.is(status('d'), 503)
  t.is(status('a'), 429, 'the nearer reason first')
  release()
  release()
  t.is(status('d'), undefined)
  t.is(status('a'), 503)
})
