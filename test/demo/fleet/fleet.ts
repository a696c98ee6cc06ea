// The fleet, and the users that it serves.
import type { Chance } from '../chance.ts'
import type { DemoAgent, Who } from './agent.ts'
import { codeReviewer } from './code-reviewer.ts'
import { dataAnalyst } from './data-analyst.ts'
import { docsIndexer } from './docs-indexer.ts'
import { invoiceExtractor } from './invoice-extractor.ts'
import { meetingScribe } from './meeting-scribe.ts'
import { researchAssistant } from './research-assistant.ts'
import { salesOutreach } from './sales-outreach.ts'
import { supportTriager } from './support-triager.ts'

const fleet: readonly DemoAgent[] = [
  supportTriager,
  codeReviewer,
  researchAssistant,
  dataAnalyst,
  invoiceExtractor,
  salesOutreach,
  meetingScribe,
  docsIndexer,
]

const people = ['ada', 'boris', 'chiara', 'dmitri', 'elif', 'farid', 'greta', 'hugo', 'ines', 'jonas', 'kira', 'leon']

/** Picks the agent of one run in proportion to the shares. */
export function pickAgent(chance: Chance): DemoAgent {
  let left = chance.int(fleet.reduce((sum, agent) => sum + agent.share, 0))
  for (const agent of fleet) {
    left -= agent.share
    if (left < 0) return agent
  }
  throw new Error('the shares of the fleet do not add up')
}

/** Returns the session and user of one run on that day: a session belongs to one day and one user. */
export function pickWho(agent: DemoAgent, chance: Chance, day: string): Who {
  if (agent.sessionsPerDay === 0) return { session: `${agent.service}-${day}`, user: `${agent.service}-service` }
  const nth = chance.int(agent.sessionsPerDay)
  return { session: `${agent.service}-${day}-${nth}`, user: people[nth % people.length] ?? 'ada' }
}
