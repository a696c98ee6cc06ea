import { onlineManager } from '@tanstack/react-query'
import test from 'ava'
import { ApiFault, makeTimeoutFault } from '../../src/api/fault.ts'
import { chooseRetryDelayMs, makeQueryClient } from '../../src/app/query-client.ts'

const fault = (status: number, retryAfterS: number | null = null): ApiFault =>
  new ApiFault({ status, detail: 'x', requestId: null, retryAfterS, fields: [] })

const isRetried = (status: number, failures = 0): boolean => isRetriedAfter(fault(status), failures)

function isRetriedAfter(error: Error, failures = 0): boolean {
  const { retry } = makeQueryClient().getDefaultOptions().queries ?? {}
  return typeof retry === 'function' && retry(failures, error)
}

for (const status of [0, 429, 503]) {
  test(`a request with status ${status} is repeated three times`, (t) => {
    t.true(isRetried(status))
    t.true(isRetried(status, 2))
    t.false(isRetried(status, 3))
  })
}

for (const status of [400, 401, 403, 404, 409, 422, 500]) {
  test(`a request with status ${status} is not repeated`, (t) => {
    t.false(isRetried(status))
  })
}

test('a request that timed out is not repeated, because the person has waited already', (t) => {
  t.false(isRetriedAfter(makeTimeoutFault(new DOMException('late', 'TimeoutError'), 60_000)))
})

test('the wait before a retry is the one that the service states', (t) => {
  const waitMs = chooseRetryDelayMs(0, fault(429, 7))
  t.true(waitMs >= 7_000 && waitMs <= 7_500)
})

test('without Retry-After the wait doubles, up to half a minute', (t) => {
  const waits = [0, 1, 2, 10].map((failures) => Math.floor(chooseRetryDelayMs(failures, fault(503)) / 1_000))
  t.deepEqual(waits, [1, 2, 4, 30])
})

test.serial('a change without a network fails at once, and is not made later', async (t) => {
  const queries = makeQueryClient()
  let sent = 0
  onlineManager.setOnline(false)
  t.teardown(() => onlineManager.setOnline(true))
  const change = queries.getMutationCache().build(queries, {
    mutationFn: () => {
      sent += 1
      return Promise.reject(fault(0))
    },
  })
  const made = change.execute(undefined).catch((error: unknown) => error)
  await new Promise(setImmediate)
  t.is(change.state.status, 'error')
  t.true((await made) instanceof ApiFault)
  onlineManager.setOnline(true)
  await queries.resumePausedMutations()
  t.is(sent, 1)
})
