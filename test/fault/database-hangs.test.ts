// The database stops answering and keeps every connection open: requests that memory can answer are answered at once, all others soon.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { late, withTimeout } from '../../src/base/within.ts'
import { makeDatabase } from '../_kit/db.ts'
import { findFreePorts } from '../_kit/free-port.ts'
import { openRelay } from '../_kit/relay.ts'
import { signUp } from '../_kit/sign-up.ts'
import { inSoak } from '../_kit/soak.ts'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'
import { makePart } from '../cluster/_part.ts'
import type { Mutation } from './_mutant.ts'

// The promise is 300 ms. The service runs beside this test, and the machine may delay any single answer, so answers are counted: without the
// bound one of them took 17 s.
const lateMs = 1_500
// Memory is asked again after at most this pause, so that a refusal that takes long comes after many answers.
const longestPauseMs = 50
/** More answers from memory than the service gives, with these pauses, in `lateMs` and two seconds. */
const manyAnswers = 130
// A key counts as fresh for 30 s and rules for 5 s; here they do so for a shorter time, so that the database need not hang for as long.
const [keyForMs, rulesForMs] = [inSoak(3_000, 8_000), inSoak(1_000, 5_000)]
const sooner: readonly Mutation[] = [
  { file: 'src/keys/verify.ts', from: 'const knownMs = 30_000', to: `const knownMs = ${keyForMs}` },
  { file: 'src/serving/rules-cache.ts', from: 'const freshForMs = 5_000', to: `const freshForMs = ${rulesForMs}` },
  // Rules are looked up for a parked poll every 5 s, which it has to survive: here also within its shorter time.
  {
    file: 'src/serving/rules.ts',
    from: 'recheckIntervalMs = 5_000',
    to: `recheckIntervalMs = ${inSoak(1_000, 5_000)}`,
  },
]
// Longer than keys and rules count as fresh.
const hangsForS = inSoak(6, 12)
// Shorter than the database hangs.
const pollForS = inSoak(5, 10)

test('while the database hangs, rules and keys in memory are served at once with their age, others get 503, and all recovers afterwards', async (t) => {
  t.timeout(300_000)
  const database = await makeDatabase()
  const relay = await openRelay(Number(new URL(database.url).port))
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const service = makePart({
    name: 'all',
    role: 'all',
    port,
    metricsPort,
    settings: {
      DATABASE_URL: Object.assign(new URL(database.url), { port: relay.port }).href,
      SECRET: randomBytes(32).toString('base64url'),
      LOG_LEVEL: 'silent',
      DECODE_THREADS: 1,
      PASSWORD_HASH_MEMORY_MIB: 19,
    },
    nodeArguments: ['--import', new URL('_mutant.ts', import.meta.url).href],
    env: { MUTANT: JSON.stringify(sooner) },
  })
  t.teardown(async () => {
    await service.end('SIGKILL')
    await relay.stop()
    await database.stop()
  })
  await service.start()
  await until(service.isReady)
  const [ada, bob] = [await signUp(service.baseUrl), await signUp(service.baseUrl)]
  const get = async (path: string, token: string, headers = {}): Promise<Response> =>
    await fetch(service.baseUrl + path, { headers: { authorization: `Bearer ${token}`, ...headers } })
  const first = await get('/v1/apply/rules', ada.key)
  t.is(first.headers.get('age'), null)

  relay.set('silent')
  // The control: without the memory there is no answer.
  const hanging = get(`/v1/keys?workspace_id=${ada.workspaceId}`, ada.accessToken)
  const parked = get(`/v1/apply/rules?wait=${pollForS}`, ada.key, { 'if-none-match': first.headers.get('etag') ?? '' })
  const tookMs: number[] = []
  const ages = new Set<number>()
  const askMemory = async (): Promise<number> => {
    const { value, tookMs: took } = await measure(async () => await get('/v1/apply/rules', ada.key))
    t.is(value.status, 200)
    await value.arrayBuffer()
    const ageS = Number(value.headers.get('age'))
    if (ageS === 0) return ageS
    if (ages.size === 0) t.is(await withTimeout(0, hanging), late)
    ages.add(ageS)
    tookMs.push(took)
    return ageS
  }
  /** Resolves to the answer, and to the number of answers from memory that the service gave before it. */
  const countBefore = async (asked: Promise<Response>) => {
    let value: Response | null = null
    void asked.then((response) => (value = response))
    let answers = 0
    await until(
      async () => {
        if (value === null) answers += 1
        if (value === null) await askMemory()
        return value !== null
      },
      undefined,
      longestPauseMs,
    )
    return { value: await asked, answers }
  }
  await until(async () => (await askMemory()) >= hangsForS)
  const lateOnes = tookMs.filter((ms) => ms >= lateMs).length
  // They begin after the time for which rules count as fresh.
  t.true(ages.size >= inSoak(3, 4), `the only ages were ${[...ages].join()}`)
  t.true(lateOnes < tookMs.length / 4, `${lateOnes} of ${tookMs.length} were late`)
  const waited = await countBefore(parked)
  t.is(waited.value.status, 304)
  t.true(Number(waited.value.headers.get('age')) >= pollForS)
  t.true(waited.answers < manyAnswers, `${waited.answers} answers`)
  const refused = await countBefore(get('/v1/apply/rules', bob.key))
  t.is(refused.value.status, 503)
  t.true(Number(refused.value.headers.get('retry-after')) >= 1)
  t.true(refused.answers < manyAnswers, `${refused.answers} answers`)

  relay.set('open')
  await until(async () => {
    const { status, headers } = await get('/v1/apply/rules', bob.key)
    return status === 200 && headers.get('age') === null
  })
  await until(async () => (await get('/v1/apply/rules', ada.key)).headers.get('age') === null)
  await hanging
  t.is(await service.end('SIGTERM'), 0)
  t.log(
    `longest answer from memory ${Math.round(Math.max(...tookMs))} ms of ${tookMs.length}, ${refused.answers} before the refusal`,
  )
})
