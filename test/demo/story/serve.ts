// Act 3: calls are served, what that saves, and what the service can read of it.
import { DemoFault } from '../options.ts'
import { table } from '../table.ts'
import type { Desk } from './desk.ts'
import { type Stage, steady, unread } from './stage.ts'
import { savingsRows } from './wording.ts'

const servedWithinMs = 60_000
const minServed = 60
const maxAttempts = 20

export async function serve(stage: Stage): Promise<void> {
  const { narrator, desk, following, reading, startedMs } = stage
  narrator.act('3  Served: the agents work as before and pay less')
  await following.until({
    what: `fewer than ${minServed} calls of ${steady} or of ${unread} were served`,
    withinMs: servedWithinMs,
    holds: () => [steady, unread].every((tool) => desk.tallies[tool].served >= minServed),
  })
  const { served, heldOut, missed } = desk.client.stats()
  const misses = Object.values(missed).reduce((sum, count) => sum + count, 0)
  narrator.tell(
    `The client counts ${served} served calls, ${heldOut} calls held out for measurement, and ${misses} misses.`,
  )
  await desk.client.flush()
  narrator.say('\n  The service reports, from the spans that it received:\n')
  narrator.say(table(savingsRows(await reading.savings(startedMs))))
  await showStored(stage)
}

/** What the agent gets, beside all that the service has to give. */
async function showStored({ narrator, desk, reading }: Stage): Promise<void> {
  const rule = (await reading.rules()).find(({ tool_name: tool }) => tool === steady)
  if (rule === undefined) throw new DemoFault(`The rule for ${steady} no longer exists.`)
  const stored = await reading.storedResult(rule)
  const rates = await askServed(desk)
  const { ciphertext_b64: ciphertext = '', iv_b64: iv = '', key_id: keyId = '' } = stored
  const bytes = Buffer.from(ciphertext, 'base64')
  if (bytes.length === 0) throw new DemoFault('The service returned no ciphertext of the result that it serves.')
  const held = JSON.stringify(stored) + bytes.toString('latin1')
  if (held.includes(String(rates.USD))) throw new DemoFault('The service stores a result in plain text.')
  narrator.say('\n  One result, as the agent gets it and as the service stores it:\n')
  narrator.say(`    agent    ${JSON.stringify(rates)}`)
  narrator.say(`    service  ${bytes.length} bytes of AES-256-GCM: ${ciphertext.slice(0, 40)}… with iv ${iv}`)
  narrator.say(`             under the key ${keyId}, which has never left the client`)
}

/** Asks until the call is none that is held out. */
async function askServed(desk: Desk) {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { rates, isServed } = await desk.askRates()
    if (isServed) return rates
  }
  throw new DemoFault(`None of ${maxAttempts} calls of ${steady} was served.`)
}
