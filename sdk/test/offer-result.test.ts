// Where a covered call gets its result from, by what is in memory and what the service has.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { Fetched } from '../src/fetch-result.ts'
import type { Rule } from '../src/rule-book.ts'
import { type Moment, never } from '../src/serving/moment.ts'
import { offerResult } from '../src/serving/offer-result.ts'
import { type KeptResult, makeResultMemory } from '../src/serving/result-memory.ts'
import { makeFlights } from '../src/serving/single-flight.ts'

const rule: Rule = {
  decisionId: randomUUID(),
  type: 'reuse_identity',
  toolName: 'price',
  toolVersion: null,
  inputHash: 'h',
  inputs: null,
  agentName: null,
  freshnessS: 3_600,
  holdoutRate: 0,
  executedAfterMs: Number.NEGATIVE_INFINITY,
}
const subject = {
  tool: 'price',
  version: null,
  inputHash: 'h',
  agentName: 'shop',
  attestsSameInput: true,
  attestsUnread: false,
}
const at = (ms: number): Moment => ({ unixMs: ms, monotonicMs: ms })

/** A process whose memory has the result 1, which it executed at 0, and a service. */
function open() {
  const clock = { nowMs: 0 }
  const service: { newest: { text: string; endMs: number } | null; requests: number } = { newest: null, requests: 0 }
  const memory = makeResultMemory(1 << 20, () => at(clock.nowMs))
  const ended = (text: string): boolean => {
    const result: KeptResult = { form: 'json', text, end: at(clock.nowMs), expires: never }
    const isSame = (one: { text: string }, other: { text: string }): boolean => one.text === other.text
    const start = at(clock.nowMs)
    return memory.ended({ tool: 'price', agentName: 'shop', hashes: ['h'], rule, hash: 'h', result, start, isSame })
  }
  ended('1')
  const deps = {
    memory,
    flights: makeFlights(() => clock.nowMs),
    findRule: () => rule,
    fetchResult: async (): Promise<Fetched> => {
      service.requests += 1
      const { newest } = service
      if (newest === null) return { ok: false, miss: 'refused' }
      const result = { form: 'json', text: newest.text } as const
      return await Promise.resolve({ ok: true, result, endMs: newest.endMs, expiresAtMs: newest.endMs + 3_600_000 })
    },
    clock: () => at(clock.nowMs),
    onFault: (error: unknown) => {
      throw error
    },
  }
  const call = { subject, rule, hash: 'h', freshnessS: Number.POSITIVE_INFINITY, contentOf: () => null }
  const offer = async (): Promise<string> => {
    const offered = await offerResult(deps, call)
    if (offered.result !== null) return `${offered.result.text} ${offered.from}`
    offered.flight?.land(null)
    return offered.miss
  }
  return { clock, service, ended, offer }
}

test('a newer result of another process is served after a minute at the latest', async (t) => {
  const { clock, service, offer } = open()
  clock.nowMs = 30_000
  service.newest = { text: '2', endMs: 20_000 }
  t.is(await offer(), '1 memory')
  clock.nowMs = 60_000
  t.is(await offer(), '2 fetched')
  clock.nowMs = 119_000
  t.is(await offer(), '2 memory')
  t.is(service.requests, 1)
})

test('a result that the service does not confirm is not served, and the real call is compared with it', async (t) => {
  const { clock, ended, offer } = open()
  clock.nowMs = 60_000
  t.is(await offer(), 'refused')
  t.true(ended('2'))
  t.is(await offer(), 'newest_unusable')
})

test('a result that this process executed after those that the service knows is served on', async (t) => {
  const { clock, service, ended, offer } = open()
  clock.nowMs = 10_000
  ended('1')
  service.newest = { text: '0', endMs: 9_000 }
  clock.nowMs = 70_000
  t.is(await offer(), '1 fetched')
  clock.nowMs = 80_000
  t.is(await offer(), '1 memory')
  t.is(service.requests, 1)
})
