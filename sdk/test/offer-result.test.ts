// Where a covered call gets its result from, by what is in memory and what the service has.
import { randomUUID } from 'node:crypto'
import test from 'ava'
import type { Fetched } from '../src/fetch-result.ts'
import type { Rule } from '../src/rule-book.ts'
import { inputPrefix } from '../src/serving/input-prefix.ts'
import { type Moment, never } from '../src/serving/moment.ts'
import { type Offer, offerResult } from '../src/serving/offer-result.ts'
import { type KeptResult, makeResultMemory } from '../src/serving/result-memory.ts'
import { makeFlights } from '../src/serving/single-flight.ts'

const rule: Rule = {
  decisionId: randomUUID(),
  type: 'reuse_identity',
  toolName: 'price',
  toolVersion: null,
  inputHash: null,
  inputs: new Set([inputPrefix('h')]),
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

type FakeService = { newest: { text: string; endMs: number } | null; requests: number; onRequest: () => void }

/** A process whose memory has the result 1, which it executed at 0, and a service. While the machine sleeps, only the wall clock runs. */
function open() {
  const clock = { nowMs: 0, sleptMs: 0 }
  const service: FakeService = { newest: null, requests: 0, onRequest: () => undefined }
  const at = (ms: number): Moment => ({ unixMs: ms + clock.sleptMs, monotonicMs: ms })
  const now = (): Moment => at(clock.nowMs)
  const memory = makeResultMemory(1 << 20, now)
  const resultOf = (text: string): KeptResult => ({ form: 'json', text, end: now(), expires: never })
  const ended = (text: string, startMs = clock.nowMs): boolean => {
    const result = resultOf(text)
    const isSame = (one: { text: string }, other: { text: string }): boolean => one.text === other.text
    const start = at(startMs)
    return memory.ended({ tool: 'price', agentName: 'shop', hashes: ['h'], rule, hash: 'h', result, start, isSame })
  }
  ended('1')
  const deps = {
    memory,
    flights: makeFlights(now),
    findRule: () => rule,
    fetchResult: async (): Promise<Fetched> => {
      service.requests += 1
      service.onRequest()
      const { newest } = service
      if (newest === null) return { ok: false, miss: 'refused' }
      const result = { form: 'json', text: newest.text } as const
      return await Promise.resolve({ ok: true, result, endMs: newest.endMs, expiresAtMs: newest.endMs + 3_600_000 })
    },
    clock: now,
    onFault: (error: unknown) => {
      throw error
    },
  }
  const call = { subject, rule, hash: 'h', freshnessS: Number.POSITIVE_INFINITY, contentOf: () => null }
  const ask = async (): Promise<Offer> => await offerResult(deps, call)
  const offer = async (): Promise<string> => {
    const offered = await ask()
    if (offered.result !== null) return `${offered.result.text} ${offered.from}`
    offered.flight?.land(null)
    return offered.miss
  }
  return { clock, service, resultOf, ended, ask, offer }
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

test('after a long call, whose result is not kept, no older one is served, and its own once the service has it', async (t) => {
  const { clock, service, ended, offer } = open()
  clock.nowMs = 200_000
  t.false(ended('1', 100_000))
  service.newest = { text: '0', endMs: 50_000 }
  t.is(await offer(), 'stale')
  service.newest = { text: '1', endMs: 200_000 }
  t.is(await offer(), '1 fetched')
  t.is(await offer(), '1 memory')
})

test('a result is not shared with calls that waited while the machine slept, and later calls do not wait for it', async (t) => {
  for (const sleptMs of [0, 300_000]) {
    const { clock, resultOf, ask } = open()
    clock.nowMs = 60_000
    const leading = await ask()
    if (leading.result !== null) throw new Error('no call runs')
    const waiting = ask()
    clock.nowMs += 5_000
    clock.sleptMs = sleptMs
    const next = ask()
    leading.flight?.land(resultOf('2'))
    const from = [await waiting, await next].map((offer) => (offer.result === null ? offer.miss : offer.from))
    t.deepEqual(from, sleptMs === 0 ? ['shared', 'shared'] : ['not_shared', 'refused'])
  }
})

test('a result is not served if the machine slept while it was fetched', async (t) => {
  const { clock, service, offer } = open()
  clock.nowMs = 60_000
  service.newest = { text: '1', endMs: 0 }
  service.onRequest = () => {
    clock.sleptMs = 100_000
  }
  t.is(await offer(), 'stale')
  t.is(await offer(), '1 fetched')
})
