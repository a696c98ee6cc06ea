// The whole story of the rules, live against a running service: proven by history, served, and ended when results change.
import type { Workspace } from '../account.ts'
import { table } from '../table.ts'
import { drift } from './drift.ts'
import { lookBack } from './look-back.ts'
import type { Narrator } from './narrator.ts'
import { prove, sendPast } from './remember.ts'
import { serve } from './serve.ts'
import { openStage } from './stage.ts'

/** Throws a CommandFault that names the missing event. Takes about a minute at the usual settings of the service; seven at most. */
export async function tellStory(url: string, workspace: Workspace, seed: number, narrator: Narrator): Promise<void> {
  const stage = openStage(url, workspace, seed, narrator)
  try {
    introduce(narrator, workspace)
    await sendPast(stage)
    stage.begin()
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
  say('  Two agents have been at work for six days. Their tools:\n')
  const rows = [
    ['exchange_rates', '1 ¢ a call', 'quote-writer', 'the same until the exchange opens'],
    ['headlines', '0.4 ¢', 'market-briefer', 'a new result every 20 seconds'],
    ['style_guide', '0.2 ¢', 'market-briefer', 'in every prompt, but used by no model'],
    ['get_tax_rates', '0.1 ¢', 'quote-writer', 'the same for years, but not attested by its owner'],
  ]
  say(table(rows, [0, 2, 3]))
}
