// Walks the envelope of an OTLP/JSON request: first the whole body is checked byte by byte, then each span is parsed separately.

import { requireSpanSize } from '../intake/finish-span.ts'
import { hold, type Intake, logRejection, takeSpan } from '../intake/intake.ts'
import { Malformed, TooManySpans } from '../intake/malformed.ts'
import { countRejection } from '../intake/rejection-tally.ts'
import { parsePart } from './json-fields.ts'
import { eachItem, eachMember, type JsonCursor, openJson, requireEnd, requireObject, skipValue } from './json-scan.ts'
import { isLogRecord, readResource, readScope, readSpan } from './span-json.ts'

/** The bounds of a value in the body, and whether it is nested too deeply to be parsed. */
type Part = { readonly start: number; readonly end: number; readonly isTooDeep: boolean }

type ScopePlan = { scope: Part | null; readonly spans: Part[] }

type ResourcePlan = { resource: Part | null; schemaUrl: Part | null; readonly scopes: ScopePlan[] }

type Plan = { readonly resources: ResourcePlan[]; spans: number; logs: number }

/**
 * Reads each span of the request and returns the number of spans and log records. Throws Malformed if the JSON or its envelope is broken,
 * and TooManySpans at the first span or log record above the limit: both before any span is parsed.
 */
export function takeJson(body: Uint8Array, intake: Intake): number {
  const cursor = openJson(body)
  const plan = planRequest(cursor, intake.limits.spansPerRequest)
  const { bytes } = cursor
  const parse = (part: Part | null): unknown => {
    if (part === null) return undefined
    requireSpanSize(part.end - part.start, intake.limits)
    if (part.isTooDeep) throw new Malformed('The JSON is nested too deeply.')
    return parsePart(bytes, part.start, part.end)
  }
  for (const { resource, schemaUrl, scopes } of plan.resources) {
    const heldResource = hold(intake, 'resource', (context) => readResource(parse(resource), parse(schemaUrl), context))
    for (const { scope, spans } of scopes) {
      const heldScope = hold(intake, 'scope', (context) => readScope(parse(scope), context))
      for (const part of spans) {
        takeSpan(
          intake,
          heldResource,
          heldScope,
          part,
          (at, context) => readSpan(parse(at), context),
          (at) => isReadableLog(() => parse(at)),
        )
      }
    }
  }
  if (plan.logs > 0) countRejection(intake.rejections, logRejection, plan.logs)
  return plan.spans + plan.logs
}

function isReadableLog(parse: () => unknown): boolean {
  try {
    return isLogRecord(parse())
  } catch (error) {
    if (error instanceof Malformed) return false
    throw error
  }
}

/**
 * Finds the parts of the request. Parts without spans are not recorded, so that memory is bounded by the span limit. An object without
 * members is an empty request; one that has only other members is refused, since its sender believes that it has sent spans.
 */
function planRequest(cursor: JsonCursor, maxSpans: number): Plan {
  const plan: Plan = { resources: [], spans: 0, logs: 0 }
  let members = 0
  let unknown = 0
  requireObject(cursor, 'The body')
  eachMember(cursor, 'The body', (key) => {
    members++
    if (isOneOf(key, 'resourceSpans', 'resource_spans', 'resourceLogs', 'resource_logs')) {
      const name = `Each of ${key}`
      eachItem(cursor, key, () => planResource(cursor, name, plan, maxSpans))
    } else {
      unknown++
      skipValue(cursor)
    }
  })
  requireEnd(cursor)
  if (unknown > 0 && unknown === members) throw new Malformed('The request has no member `resourceSpans`.')
  return plan
}

function planResource(cursor: JsonCursor, name: string, plan: Plan, maxSpans: number): void {
  const found: ResourcePlan = { resource: null, schemaUrl: null, scopes: [] }
  eachMember(cursor, name, (key) => {
    if (isOneOf(key, 'scopeSpans', 'scope_spans', 'scopeLogs', 'scope_logs')) {
      const scopeName = `Each of ${key}`
      eachItem(cursor, key, () => planScope(cursor, scopeName, plan, found, maxSpans))
    } else if (key === 'resource') found.resource = takePart(cursor)
    else if (isOneOf(key, 'schemaUrl', 'schema_url')) found.schemaUrl = takePart(cursor)
    else skipValue(cursor)
  })
  if (found.scopes.length > 0) plan.resources.push(found)
}

function planScope(cursor: JsonCursor, name: string, plan: Plan, resource: ResourcePlan, maxSpans: number): void {
  const found: ScopePlan = { scope: null, spans: [] }
  const countOne = () => {
    if (plan.spans + plan.logs >= maxSpans) throw new TooManySpans()
  }
  eachMember(cursor, name, (key) => {
    if (key === 'spans') {
      eachItem(cursor, key, () => {
        countOne()
        found.spans.push(takePart(cursor))
        plan.spans++
      })
    } else if (isOneOf(key, 'logRecords', 'log_records')) {
      eachItem(cursor, key, () => {
        countOne()
        skipValue(cursor)
        plan.logs++
      })
    } else if (key === 'scope') found.scope = takePart(cursor)
    else skipValue(cursor)
  })
  if (found.spans.length > 0) resource.scopes.push(found)
}

function takePart(cursor: JsonCursor): Part {
  const start = skipValue(cursor)
  return { start, end: cursor.pos, isTooDeep: cursor.isTooDeep }
}

const isOneOf = (key: string, ...names: readonly string[]): boolean => names.includes(key)
