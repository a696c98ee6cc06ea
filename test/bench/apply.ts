// node test/bench/apply.ts: latency of stored results and of refusals at a fixed rate, the cost of parked long-polls, how soon they receive
// a change, and how soon a rule that a user disables is gone.
import { randomUUID } from 'node:crypto'
import { startChild } from './_child.ts'
import { readMemory } from './_cpu.ts'
import type { Rated } from './_load-rate.ts'
import { park } from './_park.ts'
import { startBenchPostgres } from './_postgres.ts'
import { median, report } from './_report.ts'
import { benchScope, insertResult, insertRules } from './_rules.ts'
import { startBenchService } from './_service.ts'
import { type Stops, withStops } from './_stops.ts'

const rounds = 5
const parkedPolls = 2_000
const rate = { connections: 32, perS: 2_000, warmMs: 500, measureMs: 3_000 }
const warmUp = { ...rate, measureMs: 6_000 }
const settleMs = 500
// Node adds these headers by itself.
const added = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

async function main(stops: Stops): Promise<void> {
  const postgres = stops.add(await startBenchPostgres(), async (server) => await server.stop())
  const load = stops.add(startChild('./_load-rate.ts'), async (child) => await child.end())
  const service = await startBenchService(stops, postgres)
  const { baseUrl, key, workspaceId, accessToken } = service
  const port = Number(new URL(baseUrl).port)
  const [served = '', empty = ''] = await insertRules(postgres, workspaceId, 8)
  await insertResult(postgres, workspaceId)

  const get = (path: string, more: Record<string, string> = {}): string =>
    [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: Bearer ${key}`, ...list(more), '', ''].join('\r\n')
  const ask = (decisionId: string): string =>
    get(`/v1/apply/tool-result?decision_id=${decisionId}&scope_hash=${benchScope}`)
  const call = async (method: string, path: string, token: string, body?: object): Promise<Response> => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer
  }
  const move = async (to: string): Promise<void> => {
    const path = `/v1/workspaces/${workspaceId}/decisions/${served}/transitions`
    const moved = await call('POST', path, accessToken, { to })
    if (!moved.ok) throw new Error(`the transition to ${to} answered ${moved.status}`)
    await moved.arrayBuffer()
  }
  const readRules = async (): Promise<{ etag: string; text: string }> => {
    const answer = await call('GET', '/v1/apply/rules', key)
    return { etag: answer.headers.get('etag') ?? '', text: await answer.text() }
  }

  const first = await call('GET', `/v1/apply/tool-result?decision_id=${served}&scope_hash=${benchScope}`, key)
  if (first.status !== 200) throw new Error(`the result answered ${first.status}`)
  const bare = stops.add(startChild('./_bare.ts'), async (child) => await child.end())
  const headers = [...first.headers].filter(([name]) => !added.has(name)).flat()
  const barePort = await bare.ask<number>({ status: 200, headers, body: new Uint8Array(await first.arrayBuffer()) })
  const requests = {
    result: ask(served),
    'refusal, no such rule': ask(randomUUID()),
    'refusal, no result': ask(empty),
    'refusal, no scope named': get(`/v1/apply/tool-result?decision_id=${served}`),
  }
  await load.ask<Rated>({ ...warmUp, port, requests: Object.values(requests) })
  const rated: Rated[number][][] = []
  const bareRated: Rated[number][] = []
  for (let round = 0; round < rounds; round += 1) {
    const [result] = await load.ask<Rated>({ ...rate, port, requests: [requests.result] })
    const [, ...refusals] = await load.ask<Rated>({ ...rate, port, requests: Object.values(requests) })
    rated.push([...(result === undefined ? [] : [result]), ...refusals])
    bareRated.push(...(await load.ask<Rated>({ ...rate, port: barePort, requests: [requests.result] })))
  }
  const pick = (nth: number, of: 'medianMs' | 'p99Ms'): number[] => rated.map((round) => round[nth]?.[of] ?? Number.NaN)

  const alone: number[] = []
  const gone: number[] = []
  const goneFromRules: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { etag } = await readRules()
    const waiting = await park(port, get('/v1/apply/rules?wait=30', { 'if-none-match': etag }), 1)
    await pause(settleMs)
    const startedAtMs = performance.now()
    const moving = move('disabled')
    const [answeredAtMs = Number.NaN] = await waiting.answeredAtMs
    await moving
    alone.push(answeredAtMs - startedAtMs)
    while (
      (await call('GET', `/v1/apply/tool-result?decision_id=${served}&scope_hash=${benchScope}`, key)).status !== 404
    )
      await pause(1)
    gone.push(performance.now() - startedAtMs)
    while ((await readRules()).text.includes(served)) await pause(1)
    goneFromRules.push(performance.now() - startedAtMs)
    waiting.end()
    await move('shadow')
    await move('active')
  }

  const beforeMiB = readMemory(service.pid)?.nowMiB ?? null
  const { etag } = await readRules()
  const crowd = await park(port, get('/v1/apply/rules?wait=30', { 'if-none-match': etag }), parkedPolls)
  await pause(settleMs)
  const parkedMiB = readMemory(service.pid)?.nowMiB ?? null
  const startedAtMs = performance.now()
  await move('disabled')
  const woken = (await crowd.answeredAtMs).map((atMs) => atMs - startedAtMs)
  crowd.end()

  report('apply', { postgres: postgres.version, rounds, ...rate }, [
    ...(['medianMs', 'p99Ms'] as const).map((of) => {
      const runs = bareRated.map((one) => one[of])
      return { name: `bare node:http: ${of}`, value: median(runs), unit: 'ms', runs }
    }),
    ...Object.keys(requests).flatMap((name, nth) => [
      { name: `${name}: medianMs`, value: median(pick(nth, 'medianMs')), unit: 'ms', runs: pick(nth, 'medianMs') },
      { name: `${name}: p99Ms`, value: median(pick(nth, 'p99Ms')), unit: 'ms', runs: pick(nth, 'p99Ms'), ceiling: 5 },
    ]),
    {
      name: 'one parked poll hears of a change, the transition included',
      value: median(alone),
      unit: 'ms',
      runs: alone,
      ceiling: 100,
    },
    { name: 'a disabled rule serves no result', value: Math.max(...gone), unit: 'ms', runs: gone, ceiling: 1_000 },
    {
      name: 'a disabled rule is gone from the rules',
      value: Math.max(...goneFromRules),
      unit: 'ms',
      runs: goneFromRules,
      ceiling: 1_000,
    },
    {
      name: `memory of ${parkedPolls} parked polls`,
      value: parkedMiB === null || beforeMiB === null ? null : parkedMiB - beforeMiB,
      unit: 'MiB',
      ceiling: 100,
    },
    { name: `the median of ${parkedPolls} polls hears of a change`, value: median(woken), unit: 'ms' },
    { name: `the last of ${parkedPolls} polls hears of a change`, value: woken.at(-1) ?? null, unit: 'ms' },
  ])
}

const list = (headers: Record<string, string>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

await withStops(main)
