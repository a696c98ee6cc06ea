import { createServer } from 'node:net'
import test from 'ava'
import { listen } from '../../src/base/listen.ts'

const host = '127.0.0.1'

test('the error of a server that cannot listen says what to do', async (t) => {
  const first = createServer()
  const port = await listen(first, 0, host)
  t.teardown(() => first.close())
  await t.throwsAsync(listen(createServer(), port, host), {
    message: `cannot listen on port ${port} of ${host} (EADDRINUSE): stop the other program on this port, or set TRACEWRIGHT_PORT or TRACEWRIGHT_METRICS_PORT to another port`,
  })
  // An address that is reserved for documentation belongs to no machine.
  await t.throwsAsync(listen(createServer(), 0, '192.0.2.1'), {
    message: /\(EADDRNOTAVAIL\): set TRACEWRIGHT_HOST to an address of this machine/,
  })
})
