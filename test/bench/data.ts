// npm run bench:data -- --engine plain|timescale --size 1m|10m|50m [--fresh]: makes a large data set for the read benches. An existing
// complete set is kept.
import { parseArgs } from 'node:util'
import { engines } from './_data-server.ts'
import { findDataSet, makeDataSet } from './_data-set.ts'
import { type Size, sizes } from './_data-shape.ts'
import { report } from './_report.ts'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'plain' },
    size: { type: 'string', default: '10m' },
    fresh: { type: 'boolean', default: false },
  },
})
const engine = engines.find((name) => name === values.engine)
const size = (Object.keys(sizes) as Size[]).find((name) => name === values.size)
if (engine === undefined || size === undefined) {
  throw new Error(`--engine is one of ${engines.join(', ')}; --size is one of ${Object.keys(sizes).join(', ')}`)
}

const found = values.fresh ? null : findDataSet(engine, size)
const set = found ?? (await makeDataSet(engine, size, (line) => process.stderr.write(`${line}\n`)))
const { layout, seconds, bytes, workspaceId } = set
const rowsPerS = layout.events / (seconds['rows'] ?? Number.NaN)
report('data', { engine, size, workspace_id: workspaceId, kept: found !== null, seconds }, [
  { name: 'events', value: layout.events, unit: 'rows' },
  { name: 'loading', value: rowsPerS, unit: 'rows/s' },
  { name: 'all of it', value: Object.values(seconds).reduce((sum, each) => sum + each, 0), unit: 's' },
  { name: 'on disk', value: bytes / 2 ** 30, unit: 'GiB' },
])
