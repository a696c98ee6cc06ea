// A body that exceeds the memory limit, on a connection that its client keeps open.
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import test from 'ava'
import { lingerMs } from '../../src/web/linger.ts'
import { runInTime } from '../_kit/in-time.ts'
import { startService } from '../_kit/serve.ts'
import { measure } from '../_kit/standstill.ts'
import { until } from '../_kit/until.ts'

const service = await startService({ INGEST_QUEUE_BYTES: 4_194_304, INGEST_MAX_BODY_BYTES: 4_194_304 })
test.after.always(async () => await service.stop())

// Serial: both fill the memory for bodies.

async function readHeldBytes(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()
  return Number(/^tracewright_ingest_body_bytes (\d+)$/m.exec(metrics)?.[1])
}

test.serial(
  'a body without room is answered 503 at once, releases its bytes, and does not block later requests',
  async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = async (bytes: number): Promise<IncomingMessage> => {
      const sent = request(`${service.baseUrl}/v1/otlp/v1/traces`, {
        agent,
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-protobuf' },
      })
      // Reported by `once`; one that comes later is of no interest.
      sent.on('error', () => undefined)
      // In chunks, so that the length is not known in advance.
      for (let at = 0; at < bytes; at += 100_000) sent.write(Buffer.alloc(100_000))
      sent.end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'close')
      return response
    }
    // A slow request holds half of the room.
    const slow = request(`${service.baseUrl}/v1/otlp/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-protobuf' },
    })
    slow.on('error', () => undefined)
    slow.write(Buffer.alloc(2_000_000))
    await until(async () => (await readHeldBytes()) === 2_000_000)
    for (let times = 0; times < 3; times += 1) {
      const response = await runInTime(lingerMs, async () => {
        const { value, tookMs } = await measure(async () => await send(3_000_000).catch((error: Error) => error))
        t.true(tookMs < 5_000, `${tookMs} ms`)
        return value
      })
      if (response instanceof Error) throw response
      t.is(response.statusCode, 503)
      t.is(response.headers['retry-after'], '1')
      t.is(response.headers.connection, 'close')
    }
    await until(async () => (await readHeldBytes()) === 2_000_000)
    slow.destroy()
    await until(async () => (await readHeldBytes()) === 0)
    t.pass()
    agent.destroy()
  },
)

test.serial('slow bodies of one workspace are cut for a body of another one', async (t) => {
  const other = await service.addWorkspace()
  const begin = (key: string) =>
    request(`${service.baseUrl}/v1/otlp/v1/traces`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
  const answerTo = async (sent: ReturnType<typeof begin>): Promise<number | undefined> => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  const slow: ReturnType<typeof begin>[] = []
  for (const held of [2_000_000, 4_000_000]) {
    const one = begin(service.key)
    one.on('error', () => undefined)
    one.write(Buffer.alloc(2_000_000))
    slow.push(one)
    await until(async () => (await readHeldBytes()) === held)
  }
  const [first, second] = slow as [ReturnType<typeof begin>, ReturnType<typeof begin>]
  const cutOff = answerTo(second)
  const small = begin(other.key)
  small.end(`{"resourceSpans":[]}${' '.repeat(1_000_000)}`)
  t.is(await answerTo(small), 200)
  t.is(await cutOff, 503)
  await until(async () => (await readHeldBytes()) === 2_000_000)
  first.destroy()
  await until(async () => (await readHeldBytes()) === 0)
})
