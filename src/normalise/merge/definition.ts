// What a dialect says of itself: by what it is known, and under which names it tells what.
import type { Kind, Message } from '../../event/event.ts'
import type { Flag } from '../../event/flag.ts'
import type { Attributes, AttributeValue, SpanEvent } from '../../otlp/span.ts'
import type { SpanReading } from '../span-reading.ts'
import type { ToldUsage } from '../usage/told-usage.ts'
import type { BareField, NameField, TextField } from './fields.ts'

export type Way = 'input' | 'output'

/** By what a span is known to be of a dialect: any one of these. Cheap to look at. */
export type Marks = {
  /** Names of instrumentation scopes. `strands*` stands for all that begin so, `*langchain*` for all that contain it. */
  readonly scopes?: readonly string[]
  /** How the names of its spans begin. */
  readonly spans?: readonly string[]
  /** Attributes that only this dialect writes. */
  readonly attributes?: readonly string[]
  readonly values?: { readonly [attribute: string]: string }
}

/** `kind` is null as long as it is not known. */
export type TextRead = (reading: SpanReading, kind: Kind | null) => string | null
export type NamesByField = { readonly [field in NameField]?: readonly string[] } & {
  readonly [field in TextField]?: readonly (string | TextRead)[]
}

/** Types that a dialect states outright. They are compared in lower case. */
export type StatedKinds = {
  /** The attribute that states them. Absent: they are the operations of the field `operation`. */
  readonly attribute?: string
  readonly kinds: { readonly [type: string]: Kind }
  /** For a type that is not listed. */
  readonly guess?: (type: string) => Kind | null
  /** A type that is not known is still a statement: the span is not what its attributes suggest. */
  readonly isFinal?: boolean
}

export type MessageRead = (reading: SpanReading, way: Way) => readonly Message[] | null

/** The result of a tool and the id of its call, taken out of a message around them. */
export type ToolMessage = { readonly toolCallId: string; readonly result: unknown }

/** What dialects tell in ways that no list of names describes. */
export type ReadsByName = {
  /** The kind where no type states one that is known. */
  readonly kind: (reading: SpanReading) => Kind | null
  /** Whether a model call is only the request of one that another span tells, or was answered without the model. */
  readonly isRequestOnly: (reading: SpanReading) => boolean
  /**
   * Another kind than the stated one, in a dialect that states a kind for what is none of it: `agent` on the only span that tells of the calls of
   * models inside of it, or the kind of the span around on what happened in it. Null where the kind is right.
   */
  readonly restatedKind: (reading: SpanReading, kind: Kind) => Kind | null
  /** Whether a model call is one of embeddings, in a dialect that has one type for both. */
  readonly isEmbedding: (reading: SpanReading) => boolean
  /** The model of a call, where no attribute of a known name tells it. */
  readonly model: (reading: SpanReading) => string | null
  /** How long the call took that ended when this span was written, in microseconds. */
  readonly streamUs: (reading: SpanReading) => number | null
  /** How long the call took at least, of a span that was ended before it; in microseconds. */
  readonly leastUs: (reading: SpanReading) => number | null
  readonly hasFailed: (reading: SpanReading) => boolean
  /** Whether the status of a failed span is that of another one, which its instrumentation has copied. */
  readonly isStatusBorrowed: (reading: SpanReading) => boolean
  /** Why the answer ended, where no attribute tells it. */
  readonly finishReason: (reading: SpanReading) => AttributeValue | undefined
  /** Whether the agent that the span names is a stand-in of the instrumentation, which does not know it. */
  readonly isAgentUnknown: (reading: SpanReading, kind: Kind, name: string) => boolean
  /** Whether this is an id of the sender's own, where that of the provider belongs. */
  readonly isRunId: (id: string) => boolean
  /** Whether `inputTokens` leaves out the cache. */
  readonly excludesCache: (reading: SpanReading) => boolean
  /** Counts inside of JSON. Fills only what is still open. */
  readonly usage: (reading: SpanReading, told: ToldUsage) => void
  /** The same, on llm and embedding spans alone. */
  readonly callUsage: (reading: SpanReading, told: ToldUsage, kind: Kind) => void
  readonly scores: (reading: SpanReading, add: (score: string | null) => void) => void
  /** The arguments or the result of a tool in an event of its span. */
  readonly toolEvent: (event: SpanEvent, way: Way) => AttributeValue | undefined
}

/** On which spans a function has something to read. It may be asked about others, but is not where nobody's function has. */
export type ReadPlaces = {
  /** Those with one of these attributes. */
  readonly attributes?: readonly string[]
  readonly events?: boolean
  /** Those with the dialect's marks, and no others. */
  readonly own?: boolean
}

/** A function by itself is asked about every span. */
export type DialectReads = {
  readonly [name in keyof ReadsByName]?:
    | ReadsByName[name]
    | { readonly on: ReadPlaces; readonly read: ReadsByName[name] }
}

/** Names of attributes and events that carry content. `a.#` stands for `a.0` and all below it, `a.*` for all below `a`. */
export type ContentNames = {
  /** Messages that go in, or a tool's arguments. */
  readonly in?: readonly string[]
  /** Messages that come out, or a tool's result. */
  readonly out?: readonly string[]
  /** Both in one attribute. */
  readonly both?: readonly string[]
  /** What the normalised content does not repeat: documents, definitions of tools, variables of prompts. */
  readonly apart?: readonly string[]
}

export type Dialect = {
  readonly name: string
  readonly marks: Marks
  /** By field, the names under which it is told, in order of trust. They are read on spans of all dialects. */
  readonly names?: NamesByField
  /** Names that are trusted less than those of any other dialect. */
  readonly late?: NamesByField
  /** Names without a namespace: read on model calls, and on spans with the marks of a dialect that has such names. */
  readonly bare?: { readonly [field in BareField]?: readonly string[] }
  /** The bare input of its own spans leaves out the cache. */
  readonly bareInputExcludesCache?: boolean
  /** Names that are read only on spans with its marks, after all others. */
  readonly own?: NamesByField
  readonly kinds?: readonly StatedKinds[]
  /** Words of its own for the field `operation`. */
  readonly operations?: { readonly [operation: string]: Kind }
  /** What stands before the name of the tool in the name of its span. */
  readonly toolSpans?: readonly string[]
  /** How names of spans begin that say nothing of the name of the tool. */
  readonly namelessToolSpans?: readonly string[]
  /** Takes the result of a tool out of a message around it, on its own spans. Null where there is none. */
  readonly toolMessage?: (result: unknown) => ToolMessage | null
  readonly messages?: readonly MessageRead[]
  /** Asked after the messages of all dialects. */
  readonly lateMessages?: readonly MessageRead[]
  /** What redaction and the content mode apply to. */
  readonly content?: ContentNames
  /** Other attributes in place of the span's, where one of the attributes among the marks is there. */
  readonly view?: (attributes: Attributes, flags: Set<Flag>) => Attributes
  readonly reads?: DialectReads
}
