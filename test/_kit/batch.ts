// Makes batches of rows as a decode thread does, but without OTLP.
import { randomBytes } from 'node:crypto'
import { makeUuidV7, uuidToBytes } from '../../src/base/ids.ts'
import { addToBatch, finishBatch, openBatch } from '../../src/decode/batch-writer.ts'
import { openRepeats } from '../../src/decode/repeats.ts'
import { toResolveInput } from '../../src/decode/resolve-input.ts'
import { openPayloadBlocks } from '../../src/encode/payload-blocks.ts'
import { type Event, hasUsage, noUsage } from '../../src/event/event.ts'
import type { Batch } from '../../src/ingest/batch.ts'
import { type Resolved, resolve } from '../../src/resolve/resolve.ts'

/** Returns an event with random ids that started a minute ago; all other fields are empty. */
export function makeEvent(known: Partial<Event> = {}): Event {
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentSpanId: null,
    startTimeUnixNano: BigInt(Date.now() - 60_000) * 1_000_000n,
    durationUs: 1_500,
    kind: 'other',
    operation: null,
    name: 'work',
    scopeName: null,
    scopeVersion: null,
    dialect: null,
    status: 'ok',
    errorType: null,
    errorMessage: null,
    agentOwn: null,
    agentFallback: 'unknown',
    hasMainAgent: false,
    agentVersion: null,
    sessionId: null,
    userId: null,
    taskType: null,
    environment: null,
    provider: null,
    requestModel: null,
    model: null,
    responseId: null,
    finishReasons: [],
    serviceTier: null,
    batch: false,
    ttftMs: null,
    usage: noUsage,
    providedCostUsd: null,
    qualityScore: null,
    isOutputLost: false,
    toolRequests: [],
    toolName: null,
    toolCallId: null,
    readOnly: null,
    inputHash: null,
    contentHash: null,
    toolVersion: null,
    scopeHash: null,
    attested: false,
    attestedUnread: false,
    served: false,
    holdout: false,
    changed: false,
    decisionId: null,
    encrypted: null,
    consumedToolCallIds: [],
    readToolCallIds: [],
    flags: new Set(),
    ...known,
  }
}

/** Returns a model call with its tokens. */
export const makeLlmEvent = (inputTokens: number, outputTokens: number, known: Partial<Event> = {}): Event =>
  makeEvent({
    kind: 'llm',
    name: 'chat',
    model: 'gpt-4o',
    usage: { ...noUsage, inputTokens, outputTokens },
    ...known,
  })

export type BatchOptions = {
  readonly costUsd?: number
  readonly resolved?: Partial<Resolved>
} & Partial<Pick<Batch, 'eventQuota' | 'agentCap' | 'granted' | 'rejections'>>

const nowhere = { resource: new Uint8Array(0), scope: new Uint8Array(0) }

/**
 * Returns the rows of these events. Each event is resolved by itself, and `resolved` overrides the result. Repeats are dropped, as in
 * decoding.
 */
export function makeBatch(workspaceId: string, events: readonly Event[], options: BatchOptions = {}): Batch {
  const idBytes = uuidToBytes(workspaceId)
  const blocks = openPayloadBlocks(idBytes)
  const batch = openBatch(events.length)
  const repeats = openRepeats()
  for (const event of events) {
    if (repeats.isRepeat(event)) continue
    const startUs = Number(event.startTimeUnixNano / 1_000n)
    const priced = {
      costUsd: options.costUsd ?? null,
      cacheSavingsUsd: null,
      source: options.costUsd === undefined ? null : 'test',
    }
    const [resolved] = resolve([toResolveInput({ event, startUs, priced })])
    if (resolved === undefined) throw new Error('resolve gave nothing')
    const isUnpriced = options.costUsd === undefined && hasUsage(event)
    addToBatch(batch, {
      workspaceId: idBytes,
      startUs,
      event: isUnpriced ? { ...event, flags: new Set([...event.flags, 'unpriced']) } : event,
      usage: event.usage,
      resolved: { ...resolved, ...options.resolved },
      priced,
      payload: blocks.add(new Uint8Array(0), nowhere, startUs),
    })
  }
  return {
    ...finishBatch(batch),
    ...blocks.finish(),
    repeats: repeats.count(),
    workspaceId,
    rejections: options.rejections ?? [],
    eventQuota: options.eventQuota ?? null,
    agentCap: options.agentCap ?? null,
    granted: options.granted ?? null,
  }
}

/** Inserts a workspace in a new org by plain SQL, and returns its id. */
export async function insertWorkspaceRow(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  plan = 'self_hosted',
): Promise<string> {
  const org = makeUuidV7()
  const workspace = makeUuidV7()
  await query('insert into orgs (id, name) values ($1, $2)', [org, 'org'])
  await query('insert into workspaces (id, org_id, name, plan, redaction_secret) values ($1, $2, $3, $4, $5)', [
    workspace,
    org,
    'workspace',
    plan,
    randomBytes(32),
  ])
  return workspace
}
