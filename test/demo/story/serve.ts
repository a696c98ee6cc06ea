// Act 2: calls are served; shows what the service can read of a result, and how an owner invalidates results after a change.
import { CommandFault } from '../../_kit/command.ts'
import { steady, unread } from './cast.ts'
import type { Desk } from './desk.ts'
import { bases } from './market.ts'
import type { Stage } from './stage.ts'

// Usually seconds; much longer on a busy machine.
const rulesWithinMs = 180_000
const servedWithinMs = 180_000
const minServed = 150
const maxAttempts = 20
const shownBase = 'EUR'
const changedBase = 'CHF'

export async function serve(stage: Stage): Promise<void> {
  const { narrator, desk, following } = stage
  narrator.act('2  Served: the agents work as before and pay less')
  await following.until({
    what: 'the client was not given the rules',
    withinMs: rulesWithinMs,
    holds: () => desk.client.stats().rules === 2,
  })
  await following.until({
    what: `fewer than ${minServed} calls of ${steady} were served, or none from memory, from the service or by the stub of ${unread}`,
    withinMs: servedWithinMs,
    holds: () =>
      desk.tallies[steady].served >= minServed && Object.values(countServed(desk)).every((calls) => calls > 0),
  })
  narrator.tell(describeServed(desk))
  await showStored(stage)
  await invalidate(stage)
}

/** Counts calls by the source of the served result. */
function countServed({ client }: Desk): Record<'memory' | 'service' | 'stub', number> {
  const { served, servedFrom } = client.stats()
  const { fetched, stub } = servedFrom
  return { memory: served - fetched - stub, service: fetched, stub }
}

function describeServed(desk: Desk): string {
  const { served, heldOut, missed } = desk.client.stats()
  const misses = Object.values(missed).reduce((sum, count) => sum + count, 0)
  const calls = served + heldOut + misses
  const { memory, service, stub } = countServed(desk)
  const share = ((served / calls) * 100).toFixed(0)
  return (
    `Of ${calls} calls that the rules cover ${served} were served (${share} %): ${memory} from the memory of the process, ` +
    `${service} from the service,\n         and ${stub} of ${unread} by the stub that its owner wrote. ${heldOut} ran for real to be compared (the holdout), and ${misses} for other reasons.`
  )
}

/** Shows the result that the agent gets, beside everything that the service has of it. */
async function showStored({ narrator, desk, reading }: Stage): Promise<void> {
  const rule = (await reading.rules()).find(({ tool_name: tool }) => tool === steady)
  if (rule === undefined) throw new CommandFault(`The rule for ${steady} no longer exists.`)
  const rate = await askServed(desk)
  // The result of a held-out call is stored with the next flush; until then the service has the result before it.
  await desk.client.flush()
  const stored = await reading.storedResult(rule, desk.hashRateInput(shownBase))
  const { ciphertext_b64: ciphertext = '', iv_b64: iv = '', key_id: keyId = '' } = stored
  const bytes = Buffer.from(ciphertext, 'base64')
  if (bytes.length === 0) throw new CommandFault('The service returned no ciphertext of the result that it serves.')
  const held = JSON.stringify(stored) + bytes.toString('latin1')
  if (held.includes(String(rate.USD))) throw new CommandFault('The service stores a result in plain text.')
  narrator.say('\n  One result, as the agent gets it and as the service stores it:\n')
  narrator.say(`    agent    ${JSON.stringify(rate)}`)
  narrator.say(`    service  ${bytes.length} bytes of AES-256-GCM: ${ciphertext.slice(0, 40)}… with iv ${iv}`)
  narrator.say(`             under the key ${keyId}, which has never left the client\n`)
}

/** Calls until a call is not held out. */
async function askServed(desk: Desk) {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { rate, isServed } = await desk.askRate(shownBase)
    if (isServed) return rate
  }
  throw new CommandFault(`None of ${maxAttempts} calls of ${steady} was served.`)
}

async function invalidate({ narrator, market, desk }: Stage): Promise<void> {
  const { USD: before } = market.rateNow(changedBase)
  const { USD: after } = market.announce(changedBase)
  if (!(await desk.invalidateRate(changedBase))) throw new CommandFault('The service did not accept the invalidation.')
  const { rate } = await desk.askRate(changedBase)
  if (rate.USD !== after) throw new CommandFault(`A call got ${rate.USD} for ${changedBase} after it was invalidated.`)
  narrator.tell(
    `One franc now costs ${after} dollars, not ${before}. The owner of the tool knows, and calls exchangeRates.invalidate({ base: 'CHF' }):\n` +
      `         the next call got ${after}. The other ${bases.length - 1} currencies are served as before.`,
  )
}
