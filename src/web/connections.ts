// Limits of a connection: how many an address may have, the size of a header, and the time to read an answer.
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressesOfSite, clientPrefixOf, sitePrefixOf } from '../base/ip.ts'
import { hasBody } from './body/has-body.ts'
import { lingerBehind } from './linger.ts'

export type ConnectionLimits = {
  /** Of an IPv4 address or an IPv6 /64. An IPv6 /48 may have `addressesOfSite` times as many. */
  readonly perAddress: number
  readonly headerBytes: number
  /** A client that reads nothing of its answer is disconnected after at least this time, and at most twice that. */
  readonly readTimeoutMs: number
}

export const connectionLimits = [
  'all_connections',
  'connections_of_address',
  'pipelined_requests',
  'unread_answer',
] as const
/** Why a connection was ended, or not accepted. */
export type EndedBy = (typeof connectionLimits)[number]

export type ConnectionEvents = {
  readonly onEnded: (by: EndedBy) => void
  /** Must answer the request and end the connection. */
  readonly onHeaderTooLarge: (socket: Socket) => void
}

export type Connections = {
  /** Call it first with each request. Returns false if the header was too large; `onHeaderTooLarge` has answered then. */
  takeHeader(request: IncomingMessage): boolean
}

type Connection = {
  /** The value of `bytesRead` when the last header was complete; NaN while a body is read, since bodies have limits of their own. */
  headerFromBytes: number
  /** The request whose body has not ended yet. */
  body: IncomingMessage | null
}

const sweepMs = 250
/** The most that Node reads at a time. The bytes that follow a header in the same read cannot be told apart from the header. */
const readBytes = 65_536

/** Enforces the limits on the connections of a server until it closes. */
export function watchConnections(server: Server, limits: ConnectionLimits, events: ConnectionEvents): Connections {
  const open = new Map<Socket, Connection>()
  /** By the prefixes that `listLimits` returns. */
  const byPrefix = new Map<string, number>()

  function listLimits(ip: string): (readonly [prefix: string, most: number])[] {
    const site = sitePrefixOf(ip)
    const ofAddress = [clientPrefixOf(ip), limits.perAddress] as const
    return site === null ? [ofAddress] : [ofAddress, [site, limits.perAddress * addressesOfSite]]
  }

  function count(prefix: string, change: 1 | -1): void {
    const left = (byPrefix.get(prefix) ?? 0) + change
    if (left > 0) byPrefix.set(prefix, left)
    else byPrefix.delete(prefix)
  }

  function accept(socket: Socket): void {
    const prefixes = listLimits(socket.remoteAddress ?? '')
    if (prefixes.some(([prefix, most]) => (byPrefix.get(prefix) ?? 0) >= most)) {
      events.onEnded('connections_of_address')
      socket.destroy()
      return
    }
    for (const [prefix] of prefixes) count(prefix, 1)
    const connection: Connection = { headerFromBytes: 0, body: null }
    open.set(socket, connection)
    lingerBehind(socket, () => connection.body)
    // The HTTP server destroys the socket. A connection that is idle between two requests has no data waiting.
    socket.once('timeout', () => {
      if (socket.writableLength > 0) events.onEnded('unread_answer')
    })
    socket.once('close', () => {
      open.delete(socket)
      for (const [prefix] of prefixes) count(prefix, -1)
    })
  }

  function sweep(): void {
    for (const [socket, connection] of open) {
      if (socket.bytesRead - connection.headerFromBytes > limits.headerBytes) events.onHeaderTooLarge(socket)
      else timeReading(socket, limits.readTimeoutMs)
    }
  }

  server.on('connection', accept)
  server.on('drop', () => events.onEnded('all_connections'))
  server.once('listening', () => {
    const sweeping = setInterval(sweep, sweepMs)
    server.once('close', () => clearInterval(sweeping))
  })
  return {
    takeHeader(request) {
      const { socket } = request
      const connection = open.get(socket)
      if (connection === undefined) return false
      const { bytesRead } = socket
      const isTooLarge = bytesRead - connection.headerFromBytes > limits.headerBytes + readBytes
      if (hasBody(request)) skipBody(request, connection)
      else connection.headerFromBytes = bytesRead
      if (isTooLarge) events.onHeaderTooLarge(socket)
      return !isTooLarge
    },
  }
}

function skipBody(request: IncomingMessage, connection: Connection): void {
  connection.headerFromBytes = Number.NaN
  connection.body = request
  request.once('end', () => {
    // The next request may have started in the meantime.
    if (connection.body !== request) return
    connection.body = null
    connection.headerFromBytes = request.socket.bytesRead
  })
}

/** The socket's timeout restarts with each part of a write that is sent, so a slow reader is not cut off. */
function timeReading(socket: Socket, timeoutMs: number): void {
  const isTimed = socket.timeout === timeoutMs
  if (socket.writableLength > 0 && !isTimed) socket.setTimeout(timeoutMs)
  else if (socket.writableLength === 0 && isTimed) socket.setTimeout(0)
}
