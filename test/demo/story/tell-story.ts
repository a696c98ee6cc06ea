// The whole story of rules, live against a running service: proposed, proven, served, and given up when answers drift.
import type { Workspace } from '../account.ts'
import { DemoFault } from '../options.ts'
import { table } from '../table.ts'
import { drift } from './drift.ts'
import { lookBack } from './look-back.ts'
import type { Narrator } from './narrator.ts'
import { propose, prove } from './prove.ts'
import { serve } from './serve.ts'
import { openStage, type Stage } from './stage.ts'

const rulesWithinMs = 10_000
/** So many sessions speak for a rule. */
const openingSessions = 30

/** Throws a DemoFault that says what did not happen. A minute at the usual settings of the service; eight at most. */
export async function tellStory(url: string, workspace: Workspace, seed: number, narrator: Narrator): Promise<void> {
  const stage = openStage(url, workspace, seed, narrator)
  try {
    introduce(narrator, workspace)
    await open(stage)
    await propose(stage)
    await prove(stage)
    await serve(stage)
    await drift(stage)
    await lookBack(stage)
  } finally {
    await stage.end()
  }
}

function introduce({ act, say }: Narrator, { workspaceName, workspaceId }: Workspace): void {
  act('The story of three rules, live')
  say(`  Workspace "${workspaceName}" ${workspaceId}\n`)
  say('  Two agents, quote-writer and market-briefer, work in separate sessions. Their tools:\n')
  const rows = [
    ['exchange_rates', '1 ¢ a call', 'the same all morning'],
    ['headlines', '0.4 ¢', 'the same input, but new results over time'],
    ['style_guide', '0.2 ¢', 'in every prompt, but used by no model'],
    ['get_tax_rates', '0.1 ¢', 'the same for years, but not attested by its owner'],
  ]
  say(table(rows, [0, 2]))
}

/** The opening sessions are sent at once: enough for a first look to see what they speak for. */
async function open({ desk, begin }: Stage): Promise<void> {
  await desk.client.ready(rulesWithinMs)
  await Promise.all(Array.from({ length: openingSessions }, async () => await desk.work()))
  if (!(await desk.client.flush())) throw new DemoFault('The service did not accept the first spans within 5 s.')
  begin()
}
