// Makes the files of test/interop/recorded: node test/interop/record.ts <folder> [dialect …]
// The folder holds, for each dialect, `<dialect>/<n>.bin` (the bodies as they were sent to /v1/traces, gzip or not) and `<dialect>.json`
// (the provider's truth and its cost: `truth` and `detail.exp`). Nothing that identifies the machine is kept.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { homedir, hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { OtlpKeyValue, OtlpValue } from '../_kit/spans.ts'
import {
  decodeRequest,
  type ExportRequest,
  listSpans,
  type ModelTruth,
  recordingUrl,
  type Truth,
  writeRecording,
} from './_recording.ts'

/** A row of the provider's truth: one request that it answered. */
type Counted = {
  readonly kind: 'llm' | 'embedding' | 'error'
  readonly model: string
  readonly input: number
  readonly cached: number
  readonly write: number
  readonly output: number
  readonly reasoning: number
  /** Name of the tool that the answer requests. */
  readonly tool?: string | null
  /** False for a stream whose caller did not request its usage. */
  readonly usage_sent?: boolean
}

type Run = {
  readonly truth: readonly Counted[]
  readonly detail: { readonly exp: { readonly cost: number; readonly cost1h: number } }
}

const ofMachine = /^(?:host|os|process|container|k8s)\./
// The directories before a file of Python or JavaScript, in stack traces and code locations.
const foldersOfCode = /(?:\/[\w@.+-]+)*\/(?=[\w.+-]+\.(?:py|[cm]?js)\b)/g
const machineTexts = [hostname(), homedir(), tmpdir(), process.cwd()].filter((text) => text.length > 1)

function cleanValue(value: OtlpValue | undefined): void {
  if (value === undefined) return
  if (value.stringValue !== undefined) value.stringValue = value.stringValue.replaceAll(foldersOfCode, '')
  for (const item of value.arrayValue?.values ?? []) cleanValue(item)
  cleanAttributes(value.kvlistValue?.values)
}

function cleanAttributes(attributes: readonly OtlpKeyValue[] | undefined): void {
  for (const { value } of attributes ?? []) cleanValue(value)
}

/** Removes everything that identifies the machine from a request, in place. Throws if something is left. */
function clean(request: ExportRequest): void {
  for (const { resource } of request.resourceSpans ?? []) {
    if (resource?.attributes === undefined) continue
    resource.attributes = resource.attributes.filter(({ key }) => !ofMachine.test(key))
    cleanAttributes(resource.attributes)
  }
  for (const { attributes, events = [], status } of listSpans(request)) {
    cleanAttributes(attributes)
    for (const event of events) cleanAttributes(event.attributes)
    if (status?.message !== undefined) status.message = status.message.replaceAll(foldersOfCode, '')
  }
  const text = JSON.stringify(request)
  const left = machineTexts.find((known) => text.includes(known))
  if (left !== undefined)
    throw new Error(`a request still names ${left}: …${text.slice(text.indexOf(left) - 200).slice(0, 400)}…`)
}

function readBodies(folder: string): ExportRequest[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.bin'))
  return files.toSorted().map((name) => {
    const body = readFileSync(join(folder, name))
    const request = decodeRequest(body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body)
    clean(request)
    return request
  })
}

const total = (rows: readonly Counted[], field: 'input' | 'cached' | 'write' | 'output' | 'reasoning'): number =>
  rows.reduce((sum, row) => sum + row[field], 0)

/** Some senders report the lifetime of a cache write; writes of the others have the price of five minutes. */
const toldHourlyWrites = 'ephemeral_1h'

function sumUp({ truth: rows, detail }: Run, tellsHourlyWrites: boolean): Truth {
  const withUsage = rows.filter(({ kind, usage_sent: isSent = true }) => kind !== 'error' && isSent)
  const models = Map.groupBy(rows, ({ model }) => model)
  return {
    calls: rows.filter(({ kind }) => kind !== 'embedding').length,
    errors: rows.filter(({ kind }) => kind === 'error').length,
    tool_calls: rows.filter(({ tool = null }) => tool !== null).length,
    input_tokens: total(withUsage, 'input'),
    cached_tokens: total(withUsage, 'cached'),
    cache_write_tokens: total(withUsage, 'write'),
    output_tokens: total(withUsage, 'output'),
    reasoning_tokens: total(withUsage, 'reasoning'),
    cost_usd: tellsHourlyWrites ? detail.exp.cost1h : detail.exp.cost,
    models: [...models.keys()].toSorted().map((model): ModelTruth => {
      const ofModel = withUsage.filter((row) => row.model === model)
      return {
        model,
        calls: rows.filter((row) => row.model === model && row.kind !== 'embedding').length,
        input_tokens: total(ofModel, 'input'),
        cached_tokens: total(ofModel, 'cached'),
        output_tokens: total(ofModel, 'output'),
      }
    }),
  }
}

const [, , from = '', ...asked] = process.argv
const named = asked.length > 0 ? asked : readdirSync(from).filter((name) => !name.includes('.'))
for (const dialect of named) {
  const requests = readBodies(join(from, dialect))
  const run = JSON.parse(readFileSync(join(from, `${dialect}.json`), 'utf8')) as Run
  mkdirSync(recordingUrl(dialect), { recursive: true })
  writeRecording(dialect, requests, sumUp(run, JSON.stringify(requests).includes(toldHourlyWrites)))
  process.stdout.write(`${dialect}: ${requests.length} requests\n`)
}
