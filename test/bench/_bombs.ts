// Requests that are small on the wire and expensive to read, and ordinary ones as a control. No two bodies are equal, so caches do not
// help.
import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { type AttributeInput, encodeRequest, makeSpan } from '../_kit/spans.ts'
import { makeBatches } from './_spans.ts'

export type Bomb = {
  /** Connections, each of which sends one request after another. */
  readonly clients: number
  readonly contentType: 'application/x-protobuf' | 'application/json'
  readonly makeBody: () => Buffer
}

const valueChars = 250_000
const bombClients = 8
const busyClients = 50
const busyName = `${busyClients} busy clients`

/** Returns a gzip member to put before the others: white space before JSON, an unknown field before protobuf. */
function makeFirst(contentType: Bomb['contentType']): Buffer {
  const [random, unknownField] = [randomBytes(8), Buffer.from([0x7a, 8])]
  if (contentType === 'application/x-protobuf') return gzipSync(Buffer.concat([unknownField, random]))
  return gzipSync(
    Buffer.from(
      [...random]
        .map((byte) => ' \n\t\r'[byte & 3] ?? ' ')
        .join('')
        .repeat(1 + (random[0] ?? 0)),
    ),
  )
}

function openBomb(clients: number, contentType: Bomb['contentType'], bodies: readonly Buffer[]): Bomb {
  let sent = 0
  const makeBody = (): Buffer => Buffer.concat([makeFirst(contentType), bodies[sent++ % bodies.length] as Buffer])
  return { clients, contentType, makeBody }
}

const spansOf = (count: number, attributes: Readonly<Record<string, AttributeInput>>): Buffer =>
  gzipSync(encodeRequest(Array.from({ length: count }, () => makeSpan({ attributes }))))

/** Returns an object with `count` members of different names. */
const members = (name: string, count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${name}${nth}`, 1.5]))

function makeObjects(): readonly Buffer[] {
  const json = JSON.stringify(members('key', 15_000))
  return [
    spansOf(100, { 'openinference.span.kind': 'TOOL', 'tool.name': 'bomb', 'input.value': json, 'output.value': json }),
    spansOf(60, { settings: members('password', 30_000) }),
  ]
}

/** Every second span is nested more deeply than the parser allows; the others hold as many levels as fit into a value. */
function makeNested(): Buffer {
  const deep = `"later":${'['.repeat(500_000)}${']'.repeat(500_000)}`
  const value = `${'['.repeat(valueChars / 2)}${']'.repeat(valueChars / 2)}`
  const kept = `"attributes":[{"key":"input.value","value":{"stringValue":${JSON.stringify(value)}}}]`
  const startNanos = `${Date.now() - 60_000}000000`
  const spans = Array.from({ length: 80 }, (_, nth) => {
    const ids = `"traceId":"${randomBytes(16).toString('hex')}","spanId":"${randomBytes(8).toString('hex')}"`
    const times = `"startTimeUnixNano":"${startNanos}","endTimeUnixNano":"${startNanos}"`
    return `{${ids},${times},"name":"bomb",${nth % 2 === 0 ? deep : kept}}`
  })
  return gzipSync(Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`))
}

const protobuf = 'application/x-protobuf'

/** Each bomb is made on demand: together they would take gigabytes. */
const makers = {
  'IBAN text': () => openBomb(bombClients, protobuf, [spansOf(230, { 'input.value': 'DE89 '.repeat(valueChars / 5) })]),
  'object bombs': () => openBomb(bombClients, protobuf, makeObjects()),
  'nesting bombs': () => openBomb(bombClients, 'application/json', [makeNested()]),
  [busyName]: () =>
    openBomb(
      busyClients,
      protobuf,
      makeBatches(100).map(({ body }) => body),
    ),
}

export const bombNames = Object.keys(makers) as readonly (keyof typeof makers)[]

export const makeBomb = (name: (typeof bombNames)[number]): Bomb => makers[name]()
