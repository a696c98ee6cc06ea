// The workspace that a browser opens if it has not opened one before.
import test from 'ava'
import { findNewestWorkspace } from '../../src/pages/home/newest.ts'

type Workspaces = Parameters<typeof findNewestWorkspace>[0]

const makeWorkspaces = (count: number): Workspaces =>
  Array.from({ length: count }, (_, at) => ({
    id: `w${at}`,
    name: `Workspace ${at}`,
    org_id: 'o',
    org_name: 'Org',
  }))

const noQuestion = async (): Promise<number> => {
  throw new Error('nothing was to be asked')
}

test('the workspace with the newest span is opened, and the first where none has any', async (t) => {
  const newestMs: Record<string, number> = { w1: 5, w3: 9, w4: 7 }
  t.is((await findNewestWorkspace(makeWorkspaces(5), async (id) => newestMs[id] ?? 0))?.id, 'w3')
  t.is((await findNewestWorkspace(makeWorkspaces(3), async () => 0))?.id, 'w0')
})

test('a workspace whose request fails counts as one without a span', async (t) => {
  const read = async (id: string): Promise<number> => (id === 'w0' ? 1 : await noQuestion())
  t.is((await findNewestWorkspace(makeWorkspaces(3), read))?.id, 'w0')
})

test('no request is sent for a single workspace, and only a few for many workspaces', async (t) => {
  t.is(await findNewestWorkspace([], noQuestion), undefined)
  t.is((await findNewestWorkspace(makeWorkspaces(1), noQuestion))?.id, 'w0')
  const asked: string[] = []
  await findNewestWorkspace(makeWorkspaces(50), async (id) => asked.push(id))
  t.is(asked.length, 20)
})
