import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { CommandFault } from '../_kit/command.ts'
import type { Status } from './_part.ts'
import { fetchStatus, listParts } from './_status.ts'
import { writeTable } from './_table.ts'

/** Serves this answer, and returns the address. */
async function answerAll(t: ExecutionContext, status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end(body))
  t.teardown(() => server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const front: Status = {
  member: 'front-1',
  boot: 'b',
  pid: 7,
  uptime_s: 1,
  event_loop_lag_ms: 3,
  rss_bytes: 5 * 1_048_576,
  front: { routes_known: 128, breakers_open: 0, database_away: false },
  actor: null,
}

const actor: Status = {
  ...front,
  pid: 8,
  front: null,
  actor: {
    ready: true,
    fence: null,
    fences: {},
    echo_age_ms: 20,
    database_age_ms: 30,
    orphans: 0,
    claimed: 2,
    owned: [
      [1, 4],
      [2, 6],
    ],
    members: [],
  },
}

test('a status is read from a process of the service; another program and a wrong address have none', async (t) => {
  const read = async (metricsUrl: string) => await fetchStatus({ metricsUrl }, 60_000)
  t.deepEqual(await read(await answerAll(t, 200, JSON.stringify(front))), front)
  for (const [status, body] of [
    [200, '<html>'],
    [200, '{}'],
    [200, 'null'],
    [404, JSON.stringify(front)],
  ] as const)
    t.is(await read(await answerAll(t, status, body)), null, body)
  t.is(await read('http://127.0.0.1:1'), null)
})

test('the processes are those of the addresses, or of the list on this machine', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'cluster.json')
  t.like(listParts(['http://a:9464'], file), [{ name: 'http://a:9464', metricsUrl: 'http://a:9464' }])
  t.throws(() => listParts([], file), {
    instanceOf: CommandFault,
    message: /^No `npm run cluster` runs on this machine/,
  })
  const parts = [{ name: 'front-1', role: 'front', baseUrl: 'http://a:1', metricsUrl: 'http://a:2' }] as const
  writeFileSync(file, JSON.stringify(parts))
  t.deepEqual(listParts([], file), [...parts])
  writeFileSync(file, JSON.stringify(parts).slice(0, 20))
  t.throws(() => listParts([], file), {
    instanceOf: CommandFault,
    message: /^The list of processes in .+ cannot be read: /,
  })
})

test('the table has a line for each part, and counts the partitions that have an owner', (t) => {
  const part = (name: string, role: 'front' | 'actor', pid: number | null) =>
    ({ name, role, baseUrl: `http://${name}:1`, metricsUrl: `http://${name}:2`, pid: () => pid }) as const
  const statuses = [
    { part: part('f1', 'front', 7), status: front },
    { part: part('a1', 'actor', 8), status: actor },
    { part: part('a2', 'actor', 9), status: null },
    { part: part('a3', 'actor', null), status: null },
  ] as const
  t.is(
    writeTable(statuses),
    `part  pid  url          state      partitions  epochs  echo ms  db ms  lag ms  MiB
f1    7    http://f1:1  serves     128 known                           3       5
a1    8    http://a1:2  owns       2           4..6    20       30     3       5
a2    9    http://a2:2  no answer
a3    -    http://a3:2  stopped
2 of 128 partitions owned
`,
  )
  const rival = { part: part('a4', 'actor', 10), status: actor }
  t.regex(
    writeTable([...statuses, rival]),
    /\n2 of 128 partitions owned, 2 by two \(one of them is fenced or leaves\)\n$/,
  )
})
