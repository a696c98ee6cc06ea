import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import test from 'ava'
import { findFreePorts } from '../../src/store/free-port.ts'
import { findFreePorts as reservePorts } from '../_kit/free-port.ts'

const rangeFile = '/proc/sys/net/ipv4/ip_local_port_range'

test('ports differ, are free, and are outside the range of outgoing connections', async (t) => {
  const ports = await findFreePorts(200)
  t.is(new Set(ports).size, 200)
  const [lowest = 0] = readFileSync(rangeFile, 'utf8').split(/\s+/).map(Number)
  t.true(Math.max(...ports) < lowest, `outgoing connections are given ports from ${lowest} on`)
  t.true(Math.min(...ports) > 1_023)
})

test('a port in use is skipped, and if all are in use there is an error', async (t) => {
  // Reserved, so that no other test takes one of them meanwhile.
  const [taken = 0, free = 0] = await reservePorts(2)
  const server = createServer()
  await new Promise<void>((done) => server.listen(taken, '127.0.0.1', done))
  const draws = [taken, taken, free]
  t.deepEqual(await findFreePorts(1, () => draws.shift() ?? 0), [free])
  const error = await t.throwsAsync(
    findFreePorts(1, () => taken),
    { message: 'no free port could be found' },
  )
  t.like(error?.cause, { code: 'EADDRINUSE' })
  server.close()
})

test('a port that a test was given is not given again, though no server uses it', async (t) => {
  const ports = [...(await reservePorts(500)), ...(await reservePorts(500))]
  t.is(new Set(ports).size, 1_000)
  // The control: without a reservation the same port is given twice.
  const [port = 0] = ports
  t.deepEqual(await findFreePorts(1, () => port), [port])
  t.deepEqual(await findFreePorts(1, () => port), [port])
})
