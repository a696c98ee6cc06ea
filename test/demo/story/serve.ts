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
  narrator.act('3  Served: the agents go on as before, and pay less')
  await following.until({
    what: `not ${minServed} calls each of ${steady} and ${unread} were served`,
    withinMs: servedWithinMs,
    holds: () => [steady, unread].every((tool) => desk.tallies[tool].served >= minServed),
  })
  const { served, heldOut, missed } = desk.client.stats()
  const misses = Object.values(missed).reduce((sum, count) => sum + count, 0)
  narrator.tell(`The client counts ${served} calls served, ${heldOut} held out to go on measuring, ${misses} missed.`)
  await desk.client.flush()
  narrator.say('\n  The service says, by the spans that it was sent:\n')
  narrator.say(table(savingsRows(await reading.savings(startedMs))))
  await showStored(stage)
}

/** What the agent gets, beside all that the service has to give. */
async function showStored({ narrator, desk, reading }: Stage): Promise<void> {
  const rule = (await reading.rules()).find(({ tool_name: tool }) => tool === steady)
  if (rule === undefined) throw new DemoFault(`There is no rule for ${steady} any more.`)
  const stored = await reading.storedResult(rule)
  const rates = await askServed(desk)
  const { ciphertext_b64: ciphertext = '', iv_b64: iv = '', key_id: keyId = '' } = stored
  const bytes = Buffer.from(ciphertext, 'base64')
  if (bytes.length === 0) throw new DemoFault('The service holds no ciphertext of what it serves.')
  const held = JSON.stringify(stored) + bytes.toString('latin1')
  if (held.includes(String(rates.USD))) throw new DemoFault('The service holds a result that it can read.')
  narrator.say('\n  One of them, as the agent gets it, and as the service holds it:\n')
  narrator.say(`    agent    ${JSON.stringify(rates)}`)
  narrator.say(`    service  ${bytes.length} bytes of AES-256-GCM: ${ciphertext.slice(0, 40)}… with iv ${iv}`)
  narrator.say(`             of the key ${keyId}, which has never left the client`)
}

/** Asks until the call is none that is held out. */
async function askServed(desk: Desk) {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { rates, isServed } = await desk.askRates()
    if (isServed) return rates
  }
  throw new DemoFault(`Of ${maxAttempts} calls of ${steady} none was served.`)
}
