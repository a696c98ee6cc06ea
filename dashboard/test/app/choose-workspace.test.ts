import test from 'ava'
import { chooseWorkspace } from '../../src/app/frame/choose-workspace.ts'

const workspace = (id: string, orgId: string) => ({ id, name: id, org_id: orgId, org_name: orgId })
const all = [workspace('a', 'one'), workspace('b', 'one'), workspace('c', 'two')]

test('outside of a workspace the navigation shows the last workspace; on pages of an organization it shows one of its workspaces', (t) => {
  t.is(chooseWorkspace(all, 'b', undefined)?.id, 'b')
  t.is(chooseWorkspace(all, 'b', 'one')?.id, 'b')
  t.is(chooseWorkspace(all, 'b', 'two')?.id, 'c')
  t.is(chooseWorkspace(all, 'b', 'an organization without workspaces')?.id, 'b')
  t.is(chooseWorkspace(all, 'gone', undefined)?.id, 'a')
  t.is(chooseWorkspace([], 'b', 'one'), null)
})
