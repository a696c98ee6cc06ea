// The port for metrics.
import test from 'ava'
import { Registry } from 'prom-client'
import { serveMetrics } from '../../src/telemetry/metrics.ts'

test('the port for metrics keeps a connection open for longer than a scraper waits between two scrapes', async (t) => {
  const server = await serveMetrics({ registry: new Registry(), host: '127.0.0.1', port: 0, readStatus: () => ({}) })
  try {
    const { status, headers } = await fetch(`http://127.0.0.1:${server.port}/metrics`)
    t.is(status, 200)
    t.is(headers.get('keep-alive'), 'timeout=65')
  } finally {
    await server.stop()
  }
})
