// The settings of the collector apply to the code as it is loaded by a start.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { inherited } from '../_kit/inherited.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const script = `
  import { getHeapSpaceStatistics } from 'node:v8'
  const measure = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size
  await import('./src/roles/front.ts')
  const loaded = measure()
  ;(await import('./src/roles/tune-collector.ts')).tuneCollector()
  const tuned = measure()
  for (let turn = 0; turn < 100; turn += 1) globalThis.kept = Array.from({ length: 10_000 }, (_, nth) => ({ nth }))
  console.log(JSON.stringify([loaded, tuned, measure()]))`

test('the space for young objects, which grows while the code is loaded, is small afterwards and stays so', (t) => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: inherited,
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  t.is(stderr, '')
  const [loaded = 0, tuned = 0, later = 0] = JSON.parse(stdout) as number[]
  // The control: without the call it would stay as large as this.
  t.true(loaded > 2 * tuned, `${loaded} and ${tuned} bytes`)
  t.true(tuned <= 2 * 1_048_576 && later <= 2 * 1_048_576, `${tuned} and ${later} bytes`)
})
