// The first start of the embedded PostgreSQL, which creates its cluster, is interrupted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { startEmbeddedPostgres } from '../../../src/store/embedded/server.ts'
import { askServer } from '../../../src/store/watch-server.ts'
import { makeDataDir } from '../../_kit/data-dir.ts'
import { prepareClusters } from '../../_kit/prepared-clusters.ts'
import { until } from '../../_kit/until.ts'

const program = `
  import { startEmbeddedPostgres } from ${JSON.stringify(new URL('../../../src/store/embedded/server.ts', import.meta.url).href)}
  await startEmbeddedPostgres({ dataDir: process.argv[1], settings: ['fsync=off'], onLine: () => undefined })`

/** Returns the process that creates the cluster and leads its own process group; null if there is none. */
function findInitdb(dataDir: string): number | null {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.find((pid) => /^[^\0]*initdb\0/.test(readCommand(pid)) && readCommand(pid).includes(dataDir)) ?? null
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended.
    return ''
  }
}

/** True while the first file of a cluster exists and the last one does not yet. */
const isBegun = (dataDir: string): boolean =>
  readdirSync(dataDir).some((name) => existsSync(join(dataDir, name, 'PG_VERSION')))

for (const [what, isInitdbKilled] of [
  ['with the program that makes the cluster', true],
  ['alone, while the program that makes the cluster goes on,', false],
] as const)
  test(`a first start that was killed ${what} is repeated by the next start`, async (t) => {
    const dataDir = makeDataDir(t)
    const first = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], { stdio: 'inherit' })
    const firstEnd = once(first, 'exit')
    await until(() => isBegun(dataDir) || first.exitCode !== null)
    const initdb = findInitdb(dataDir)
    first.kill('SIGKILL')
    if (initdb !== null && isInitdbKilled) process.kill(-initdb, 'SIGKILL')
    await firstEnd
    t.not(initdb, null, 'it was in the middle')
    if (isInitdbKilled) await until(() => findInitdb(dataDir) === null)

    const server = await startEmbeddedPostgres({ dataDir, settings: ['fsync=off'], onLine: () => undefined })
    t.teardown(() => server.stop())
    t.is(await askServer(server.url('postgres')), 'accepts')
    if (!isInitdbKilled) return
    const left = readdirSync(dataDir).filter((name) => name.startsWith('postgres'))
    t.deepEqual(left, ['postgres', 'postgres-password'], 'and nothing is left of the first')
  })

test('a first start removes no cluster that another process has made meanwhile', async (t) => {
  const clusters = await prepareClusters()
  t.teardown(clusters.remove)
  const dataDir = clusters.makeDir(t)
  const [cluster, aside] = [join(dataDir, 'postgres'), join(dataDir, 'aside')]
  writeFileSync(join(cluster, 'mark'), '')
  renameSync(cluster, aside)
  const starting = startEmbeddedPostgres({ dataDir, settings: ['fsync=off'], onLine: () => undefined })
  await until(() => findInitdb(dataDir) !== null)
  renameSync(aside, cluster)
  const server = await starting
  t.teardown(() => server.stop())
  t.true(existsSync(join(cluster, 'mark')))
  t.is(await askServer(server.url('postgres')), 'accepts')
  t.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-')),
    [],
  )
})
