// The definition of a dialect: the marks by which it is recognized, and the names under which it reports each field.
import type { Kind, Message } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import type { Attributes, AttributeValue, SpanEvent } from '../../event/span.ts'
import type { JsonObject } from '../json.ts'
import type { SpanReading } from '../span-reading.ts'
import type { ReportedUsage } from '../usage/reported-usage.ts'
import type { BareField, NameField, TextField } from './fields.ts'

export type Way = 'input' | 'output'

/** The marks of a dialect. A span with any one of them is of the dialect. They are cheap to check. */
export type Marks = {
  /** Names of instrumentation scopes. `strands*` matches all that begin with it, `*langchain*` all that contain it. */
  readonly scopes?: readonly string[]
  /** Prefixes of the names of its spans. */
  readonly spans?: readonly string[]
  /** Attributes that only this dialect writes. */
  readonly attributes?: readonly string[]
  readonly values?: { readonly [attribute: string]: string }
}

/** `kind` is null while it is not known. */
export type TextRead = (reading: SpanReading, kind: Kind | null) => string | null
export type NamesByField = { readonly [field in NameField]?: readonly string[] } & {
  readonly [field in TextField]?: readonly (string | TextRead)[]
}

/** Types that a dialect states explicitly. They are compared in lower case. */
export type StatedKinds = {
  /** The attribute that states the types. Absent: the types are the operations of the field `operation`. */
  readonly attribute?: string
  readonly kinds: { readonly [type: string]: Kind }
  /** Returns the kind for a type that is not listed, or null. */
  readonly guess?: (type: string) => Kind | null
  /** An unknown type is still a statement: the span is not of the kind that its attributes suggest. */
  readonly isFinal?: boolean
}

export type MessageRead = (reading: SpanReading, way: Way) => readonly Message[] | null

/** The result of a tool and the id of its call, taken from a message that contains both. */
export type ToolMessage = { readonly toolCallId: string; readonly result: unknown }

/** Functions for what a list of names cannot describe. */
export type ReadsByName = {
  /** Returns the kind of a span that states no known type; null where it is unknown. */
  readonly kind: (reading: SpanReading) => Kind | null
  /** Whether a model call is only the request of a call that another span reports, or was answered without the model. */
  readonly isRequestOnly: (reading: SpanReading) => boolean
  /**
   * Returns the right kind of a span for which the dialect states a wrong one; null where the stated kind is right. Examples: `agent` on
   * the only span that reports the model calls of the agent, or an event that is reported as a span with the kind of the span around it.
   */
  readonly restatedKind: (reading: SpanReading, kind: Kind) => Kind | null
  /** Whether the agent did not run the tool of a call that the span reports: the provider ran it, or nobody did. */
  readonly isNotRun: (reading: SpanReading) => boolean
  /** Whether a model call is an embedding, in a dialect that has one type for both. */
  readonly isEmbedding: (reading: SpanReading) => boolean
  /** Returns the model of a call that has no attribute with a known name for it. */
  readonly model: (reading: SpanReading) => string | null
  /** Returns the duration in microseconds of a call whose span was written when the call ended; null for other spans. */
  readonly streamUs: (reading: SpanReading) => number | null
  /** Returns the least duration in microseconds of a call whose span was ended before the call. */
  readonly leastUs: (reading: SpanReading) => number | null
  readonly hasFailed: (reading: SpanReading) => boolean
  /** Returns the message of a failure that has no attribute for it. */
  readonly failureMessage: (reading: SpanReading) => string | null
  /** Whether the error status of a span was copied from another span by its instrumentation. */
  readonly isStatusBorrowed: (reading: SpanReading) => boolean
  /** Whether an exception is a framework's means to steer its own work, such as a handoff to another agent. It is no failure. */
  readonly isSignal: (type: string | null, message: string | null) => boolean
  /** Returns the finish reason of an answer that has no attribute for it. */
  readonly finishReason: (reading: SpanReading) => AttributeValue | undefined
  /** Whether the agent that the span names is a stand-in of an instrumentation that does not know the agent. */
  readonly isAgentUnknown: (reading: SpanReading, kind: Kind, name: string) => boolean
  /** Whether what the span states as its session is something else, such as the id of its request. */
  readonly isSessionUnknown: (reading: SpanReading, session: string) => boolean
  /** Whether the provider that the span names is none, such as the name of the application. `provider`: the canonical name. */
  readonly isProviderUnknown: (reading: SpanReading, provider: string) => boolean
  /** Whether the sender made up this id, in the place of the provider's response id. */
  readonly isRunId: (id: string) => boolean
  /** Whether `inputTokens` does not include the cache. */
  readonly excludesCache: (reading: SpanReading) => boolean
  /** Reads counts inside JSON. Fills in only missing counts. */
  readonly usage: (reading: SpanReading, told: ReportedUsage) => void
  /** As `usage`, but called only on llm and embedding spans. */
  readonly callUsage: (reading: SpanReading, told: ReportedUsage, kind: Kind) => void
  /** Returns the cost in US dollars where an attribute alone does not state it, such as a cost in parts; null where there is none. */
  readonly costUsd: (reading: SpanReading) => number | null
  readonly scores: (reading: SpanReading, add: (score: string | null) => void) => void
  /** Returns the arguments of a tool that are only a member of what the span reports as such; null where there are none. */
  readonly toolArguments: (reading: SpanReading) => JsonObject | null
  /** Returns the arguments or the result of a tool from an event of its span. */
  readonly toolEvent: (event: SpanEvent, way: Way) => AttributeValue | undefined
}

/**
 * The spans on which a function has something to read. It may be called on other spans too, but not on spans on which no dialect's function
 * has something to read.
 */
export type ReadPlaces = {
  /** Spans with one of these attributes. */
  readonly attributes?: readonly string[]
  readonly events?: boolean
  /** Spans with the dialect's marks. The function is never called on others. */
  readonly own?: boolean
}

/** A function without places is called on every span. */
export type DialectReads = {
  readonly [name in keyof ReadsByName]?:
    | ReadsByName[name]
    | { readonly on: ReadPlaces; readonly read: ReadsByName[name] }
}

/** Names of attributes and events that carry content. `a.#` matches `a.0`, `a.1` and all names below them, `a.*` all names below `a`. */
export type ContentNames = {
  /** Input messages, or a tool's arguments. */
  readonly in?: readonly string[]
  /** Output messages, or a tool's result. */
  readonly out?: readonly string[]
  /** Input and output in one attribute. */
  readonly both?: readonly string[]
  /** Content that the normal form does not include: documents, definitions of tools, variables of prompts. */
  readonly apart?: readonly string[]
}

export type Dialect = {
  readonly name: string
  readonly marks: Marks
  /** For each field, the names under which it is reported, in order of trust. They are read on spans of all dialects. */
  readonly names?: NamesByField
  /** Names that are trusted less than those of any other dialect. */
  readonly late?: NamesByField
  /** Names without a namespace: read on model calls, and on spans with the marks of a dialect that has such names. */
  readonly bare?: { readonly [field in BareField]?: readonly string[] }
  /** Its spans report each call of a tool, often in another trace than that of the model call which asks for it. */
  readonly reportsEachTool?: boolean
  /** The bare input count of its own spans does not include the cache. */
  readonly bareInputExcludesCache?: boolean
  /** Names that are read only on spans with its marks, after all others. */
  readonly own?: NamesByField
  readonly kinds?: readonly StatedKinds[]
  /** The dialect's own values of the field `operation`. */
  readonly operations?: { readonly [operation: string]: Kind }
  /** Prefixes of the tool's name in the name of its span. */
  readonly toolSpans?: readonly string[]
  /** Prefixes of span names that do not contain the name of the tool. */
  readonly namelessToolSpans?: readonly string[]
  /** Takes the result of a tool from a message that contains it, on the dialect's own spans. Null where there is no such message. */
  readonly toolMessage?: (result: unknown) => ToolMessage | null
  readonly messages?: readonly MessageRead[]
  /** Called after the `messages` of all dialects. */
  readonly lateMessages?: readonly MessageRead[]
  /** The attributes and events that redaction and the content mode apply to. */
  readonly content?: ContentNames
  /** Returns the attributes to read in place of the span's. Called if one of the attributes among the marks is present. */
  readonly view?: (attributes: Attributes, flags: Set<Flag>) => Attributes
  readonly reads?: DialectReads
}
