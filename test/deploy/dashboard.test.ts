// The structure of the dashboard, as Grafana reads it.
import test from 'ava'
import { dashboard } from './_operations.ts'

test('the dashboard is laid out in rows of 24 columns, and each panel asks the data source that was chosen', (t) => {
  const { panels, templating, schemaVersion } = dashboard
  t.true(schemaVersion >= 39)
  t.deepEqual(
    templating.list.map(({ name, type }) => `${name} ${type}`),
    ['datasource datasource', 'namespace query', 'pod query'],
  )
  t.deepEqual(
    panels.filter(({ type }) => type === 'row').map(({ title }) => title),
    ['Traffic', 'Ingest', 'Reads', 'Optimization loop', 'Cluster', 'Database', 'Process'],
  )
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Set<string>()
  for (const { type, title, datasource, targets = [], gridPos } of panels) {
    const { x, y, w, h } = gridPos
    t.true(x >= 0 && x + w <= 24, title)
    for (let at = 0; at < w * h; at += 1) {
      const cell = `${x + (at % w)} ${y + Math.floor(at / w)}`
      t.false(taken.has(cell), `${title} lies on another one`)
      taken.add(cell)
    }
    if (type === 'row') continue
    t.true(['timeseries', 'stat'].includes(type), title)
    t.is(datasource?.uid, `\${datasource}`, title)
    t.true(targets.length > 0, title)
    t.is(new Set(targets.map(({ refId }) => refId)).size, targets.length, title)
  }
})
