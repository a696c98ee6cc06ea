// A role that does one task and ends, on the embedded PostgreSQL, while a service starts.
import test from 'ava'
import { readConfig } from '../../src/config.ts'
import { withDatabase } from '../../src/roles/with-database.ts'
import { type SupervisedPostgres, superviseEmbeddedPostgres } from '../../src/store/embedded/supervise.ts'
import { askServer } from '../../src/store/watch-server.ts'
import { prepareClusters } from '../_kit/prepared-clusters.ts'
import { keepLines } from './_log.ts'

test('a PostgreSQL that a service has taken over meanwhile keeps running, and another one is ended', async (t) => {
  const clusters = await prepareClusters()
  const dataDir = clusters.makeDir(t)
  const config = readConfig({ TRACEWRIGHT_DATA_DIR: dataDir })
  const ended: number[] = []
  let service: SupervisedPostgres | undefined
  await withDatabase(config, keepLines().log, async () => {
    service = await superviseEmbeddedPostgres({
      dataDir,
      onLine: () => undefined,
      onUnresponsive: () => undefined,
      onEnded: (pid) => void ended.push(pid),
      onRestarted: () => undefined,
      onFailed: (error) => t.fail(error.message),
    })
    t.true(service.adopted)
  })
  if (service === undefined) throw new Error('it was not started')
  t.is(await askServer(service.url('postgres')), 'accepts')
  await service.stop()
  t.deepEqual(ended, [])

  let url = ''
  await withDatabase(config, keepLines().log, async (access) => {
    url = access.url
    t.is(await askServer(url), 'accepts')
  })
  t.is(await askServer(url), 'none')
})
