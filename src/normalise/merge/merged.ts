// The merged names and functions of all dialects, which the readers of a span use.
import type { Kind } from '../../event/event.ts'
import type { Names } from '../../event/names.ts'
import type { Dialect, MessageRead, ReadsByName, TextRead, ToolMessage } from './definition.ts'
import type { ByBareField, ByNameField, ByTextField } from './fields.ts'
import type { Recogniser } from './marks.ts'
import type { Namer } from './namer.ts'
import type { ResourceReader } from './resource-texts.ts'

/** Names that are read only on spans of one dialect. */
export type OwnNames = { readonly of: string; readonly names: Names }

/** Names, or a function. `of`: the only dialect on whose spans the step is used; null for all spans. */
export type TextStep =
  | { readonly of: string | null; readonly names: Names; readonly read: null }
  | { readonly of: string | null; readonly names: null; readonly read: TextRead }

/** The steps of a field. Its first names are kept apart in `names`: most fields need only these, and reading them is then faster. */
export type TextSteps = {
  readonly names: Names | null
  readonly more: readonly TextStep[]
  /** Those of `more` that are used on all spans, for spans without the marks of a dialect: the most. */
  readonly moreForAll: readonly TextStep[]
}

/** Types that are stated under names, or in the steps of a field. */
export type KindTable = (
  | { readonly names: Names; readonly steps: null }
  | { readonly names: null; readonly steps: TextSteps }
) & {
  readonly kinds: ReadonlyMap<string, Kind>
  readonly guess: ((type: string) => Kind | null) | null
  readonly isFinal: boolean
}

/** Attributes that only spans of this kind have. */
export type KindMarks = { readonly kind: Kind; readonly names: Names; readonly own: readonly OwnNames[] }

export type View = { readonly of: string; readonly marks: Names; readonly view: NonNullable<Dialect['view']> }

/** A function. `of`: the only dialect on whose spans it is called; null for all spans. */
export type DialectRead<Read> = { readonly of: string | null; readonly read: Read }

/** The functions of all dialects for one purpose, and the spans on which any of them has something to read. */
export type ReadGroup<Read> = {
  readonly reads: readonly DialectRead<Read>[]
  readonly isOnAll: boolean
  readonly isOnOwn: boolean
  readonly isOnEvents: boolean
  readonly attributes: Names | null
}

export type MergedReads = { readonly [name in keyof ReadsByName]: ReadGroup<ReadsByName[name]> }

export type MergedDialects = {
  readonly names: ByNameField<Names>
  readonly own: ByNameField<readonly OwnNames[]>
  readonly bare: ByBareField<Names>
  /**
   * The dialects on whose spans the bare name of the model is read even if they are not model calls. `bareCountsOf`: likewise for counts.
   */
  readonly bareModelOf: readonly string[]
  readonly bareCountsOf: readonly string[]
  readonly bareInputExcludesCache: readonly string[]
  /** The dialects whose model calls are not searched for requests of tools. */
  readonly eachToolOf: readonly string[]
  readonly texts: ByTextField<TextSteps>
  readonly kinds: readonly KindTable[]
  readonly kindMarks: readonly KindMarks[]
  readonly toolSpans: readonly string[]
  readonly namelessToolSpans: readonly string[]
  readonly toolMessages: readonly { readonly of: string; readonly read: (result: unknown) => ToolMessage | null }[]
  readonly messages: readonly MessageRead[]
  readonly reads: MergedReads
  readonly views: readonly View[]
  readonly recognise: Recogniser
  /** Names the dialect of a span, for the health of telemetry. */
  readonly nameDialect: Namer
  readonly readResource: ResourceReader
  /** The attributes that may hold the answer of a model as one value. */
  readonly answers: Names
}
