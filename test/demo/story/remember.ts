// Act 1: six days of executions are sent at once; they prove a rule on arrival, or show that there is nothing to prove.
import { gzipSync } from 'node:zlib'
import { CommandFault } from '../../_kit/command.ts'
import { encodeRequest, makeResourceSpans } from '../../_kit/spans.ts'
import { exportSpans } from '../interface.ts'
import { table } from '../table.ts'
import { steady, unread, volatile } from './cast.ts'
import type { Stage } from './stage.ts'
import { rungRows } from './wording.ts'

const provenWithinMs = 180_000
const provenFreshnessS = 3_600
const count = new Intl.NumberFormat('en')

/** Sends everything in one request, so that the first turn of the service sees all of it. */
export async function sendPast({ narrator, past, url, key }: Stage): Promise<void> {
  narrator.act('1  Six days of traces prove two rules as soon as they are stored')
  const { spans, executions } = await past()
  const body = gzipSync(encodeRequest([makeResourceSpans({ resource: { 'service.name': 'trading-desk' }, spans })]))
  const { rejected, message } = await exportSpans(url, key, body)
  if (rejected > 0) throw new CommandFault(`The service rejected ${rejected} spans of the history: ${message}`)
  const byTool = [...executions].map(([tool, calls]) => `${tool} ${count.format(calls)}`)
  narrator.tell(`Sent ${count.format(spans.length)} spans of the last six days: ${byTool.join(', ')}.`)
}

export async function prove({ narrator, following }: Stage): Promise<void> {
  const decisions = await following.until({
    what: `${steady} and ${unread} were not proven, or ${volatile} was not measured`,
    withinMs: provenWithinMs,
    holds: (known) =>
      [steady, unread].every((tool) => known.get(tool)?.state === 'active') && known.get(volatile)?.score != null,
  })
  const [proven, unproven] = [steady, volatile].map((tool) => decisions.get(tool))
  if (proven?.score?.freshness_s !== provenFreshnessS)
    throw new CommandFault(`${steady} was proven up to ${proven?.score?.freshness_s} s, not ${provenFreshnessS} s.`)
  if (unproven?.state === 'active' || unproven?.score?.proven === true)
    throw new CommandFault(`A rule for ${volatile} was proven, although its results change.`)
  for (const decision of [proven, unproven])
    if (decision !== undefined) narrator.say(`\n${table(rungRows(decision), [0, 4])}`)
}
