// Requests that are sent without waiting for answers: handled one after another, in order, and up to a limit.
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import test from 'ava'
import { inTurn, maxPipelined, mostInLoop } from '../../src/web/in-turn.ts'
import { until } from '../_kit/until.ts'
import { makeRoutes, sendRaw, startServer } from './_server.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

const get = (path: string, last = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${last}\r\n`
const close = 'connection: close\r\n'

async function listen(handle: Handle): Promise<{ server: Server; port: number }> {
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as { port: number }).port }
}

/** Answers with the path, in a later turn of the event loop; counts how many requests are handled at once. */
function makeCounting() {
  let now = 0
  let most = 0
  const handle: Handle = (request, response) => {
    now += 1
    most = Math.max(most, now)
    setImmediate(() => {
      now -= 1
      response.end(request.url)
    })
  }
  return { handle, most: () => most }
}

const paths = Array.from({ length: maxPipelined }, (_, at) => `/${at}`)
const burst = paths.map((path) => get(path)).join('') + get('/last', close)

test('requests of one connection are handled one at a time and answered in order; Node alone starts all', async (t) => {
  const [taken, bare] = [makeCounting(), makeCounting()]
  const many = t.fail.bind(t)
  const { server, port } = await listen(inTurn(taken.handle, () => many('too many')))
  const control = await listen(bare.handle)
  for (const one of [port, control.port]) {
    const answer = await sendRaw(one, burst)
    const bodies = [...answer.matchAll(/\r\n\r\n(\/\d+|\/last)/g)].map(([, body]) => body)
    t.deepEqual(bodies, [...paths, '/last'])
  }
  t.is(taken.most(), 1)
  t.is(bare.most(), maxPipelined + 1)
  server.close()
  control.server.close()
})

test('other connections are served between two requests of one connection', async (t) => {
  const order: string[] = []
  const { server, port } = await listen(
    inTurn(
      (request, response) => {
        order.push(request.url ?? '')
        response.end(request.url)
      },
      () => t.fail('too many'),
    ),
  )
  const bursts = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return { socket, name }
    }),
  )
  for (const { socket, name } of bursts) socket.resume().write(paths.map((path) => get(`/${name}${path}`)).join(''))
  await until(() => order.length === 2 * maxPipelined)
  const lastOfFirst = order.lastIndexOf(order[0]?.startsWith('/a') === true ? `/a${paths.at(-1)}` : `/b${paths.at(-1)}`)
  // If bursts were handled in one go, the first one would end in the middle.
  t.true(lastOfFirst > 1.5 * maxPipelined, order.join(' '))
  for (const { socket } of bursts) socket.destroy()
  server.close()
})

/** Returns how many of the requests waiting on 50 connections have been handled after each of the next turns of the event loop. */
async function countByTurn(takerOf: (connection: number) => Handle, handled: () => number): Promise<number[]> {
  const responses = Array.from({ length: 50 }, (_, connection) => {
    const response = Object.assign(new EventEmitter(), { socket: null })
    takerOf(connection)({ socket: new Socket() } as IncomingMessage, response as unknown as ServerResponse)
    return response
  })
  // Node emits this when the previous answers have been written.
  for (const response of responses) response.emit('socket')
  const counts: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn()
    counts.push(handled())
  }
  return counts
}

test('of many pipelining connections, only a few requests are handled before other sockets are read', async (t) => {
  let handled = 0
  const handle = (): void => void (handled += 1)
  const make = (): Handle => inTurn(handle, () => t.fail('too many'))
  // The control: if each connection has its own queue, all are handled in one turn.
  const [first] = await countByTurn(make, () => handled)
  t.is(first, 50)
  handled = 0
  const shared = make()
  const counts = await countByTurn(
    () => shared,
    () => handled,
  )
  t.deepEqual(
    counts,
    [1, 2, 3].map((turns) => turns * mostInLoop),
  )
})

test('a connection with too many requests is ended, and the others do not notice', async (t) => {
  const server = await startServer()
  const flood = `${get('/query?needed=x').repeat(maxPipelined + 1)}${get('/query?needed=x', close)}`
  await sendRaw(server.port, flood)
  t.deepEqual(server.ended, ['pipelined_requests'])
  t.true(server.reports.length <= 1)
  // The control: one request fewer is answered.
  const fitting = `${get('/query?needed=x').repeat(maxPipelined)}${get('/query?needed=x', close)}`
  const answer = await sendRaw(server.port, fitting)
  t.is(answer.match(/HTTP\/1\.1 200 /g)?.length, maxPipelined + 1)
  t.is(server.ended.length, 1)
  await server.stop()
})

test('a request behind one that takes long waits, whatever could answer it at once', async (t) => {
  let open: () => void = () => undefined
  const gate = new Promise<void>((done) => (open = done))
  let isWaiting = false
  const hot: string[] = []
  const server = await startServer(
    makeRoutes(async () => {
      isWaiting = true
      await gate
    }),
    undefined,
    {
      fastPath: (request, response) => {
        if (request.url !== '/hot') return false
        hot.push('/hot')
        response.end('hot')
        return true
      },
    },
  )
  const answer = sendRaw(server.port, get('/slow') + get('/hot') + get('/query?needed=x', close))
  await until(() => isWaiting)
  // Another connection is answered meanwhile.
  t.is(await (await fetch(`${server.baseUrl}/hot`)).text(), 'hot')
  t.is(hot.length, 1)
  open()
  t.regex(await answer, /"slow":true[^]*hot[^]*"needed":"x"/)
  t.is(hot.length, 2)
  await server.stop()
})

test('a bug of the fast path is a 500 that is reported, and no other request is lost', async (t) => {
  const bug = new Error('a bug')
  const server = await startServer(undefined, undefined, {
    fastPath: (request, response) => {
      if (request.url === '/begun') response.writeHead(200, { 'content-length': '1' })
      if (request.url === '/ended') response.end('ended')
      if (request.url?.startsWith('/query') === true) return false
      throw bug
    },
  })
  const answer = await sendRaw(
    server.port,
    get('/bug', 'x-request-id: one\r\n') + get('/bug') + get('/ended') + get('/query?needed=x', close),
  )
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  t.deepEqual(statuses, [500, 500, 200, 200])
  t.regex(answer, /x-request-id: one\r\n/)
  t.regex(answer, /"detail":"Internal error: the log of the service has the cause, with the request id one"/)
  t.is(await sendRaw(server.port, get('/begun')), '', 'an answer that has begun cannot become a 500')
  t.deepEqual(
    server.reports.map(({ status, error }) => ({ status, error })),
    [500, 500, 200, 200, 200].map((status, at) => ({ status, error: at === 3 ? undefined : bug })),
  )
  t.is(server.reports[0]?.requestId, 'one')
  await server.stop()
})

test('after a client has disconnected, none of its requests is handled', async (t) => {
  let isWaiting = false
  const server = await startServer(makeRoutes(undefined, () => (isWaiting = true)))
  // The first one is answered once the server has seen that the client is gone.
  const socket = connect(server.port, '127.0.0.1', () => socket.write(get('/parked') + get('/query?needed=x')))
  socket.on('error', () => undefined)
  await until(() => isWaiting)
  socket.destroy()
  await until(() => server.reports.length >= 1)
  await server.stop()
  t.deepEqual(
    server.reports.map(({ route }) => route),
    ['/parked'],
  )
})
