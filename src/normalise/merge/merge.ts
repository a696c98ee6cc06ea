// Merges the names and functions of all dialects field by field, once, so that reading a span costs the same for any number of dialects.
import { anyOf, type Names } from '../../event/names.ts'
import type { Dialect, ReadsByName, TextRead } from './definition.ts'
import {
  type BareField,
  eachBareField,
  eachNameField,
  eachTextField,
  type NameField,
  type TextField,
} from './fields.ts'
import { mergeKindMarks, mergeKinds } from './kinds.ts'
import { openRecogniser } from './marks.ts'
import type { MergedDialects, OwnNames, TextStep, TextSteps, View } from './merged.ts'
import { openNamer } from './namer.ts'
import { isOfOwn, mergeReads } from './reads.ts'
import { openResourceReader } from './resource-texts.ts'

type OrderedField = NameField | TextField | keyof ReadsByName | 'kinds' | 'messages'

/** For each field or function, the names of the dialects that come first. */
export type Orders = { readonly [field in OrderedField]?: readonly string[] }

type Ordered = (field: string) => readonly Dialect[]

/** Returns a function that lists the dialects for a field: first those in the field's order, then the others as given. */
function openOrder(dialects: readonly Dialect[], orders: Orders): Ordered {
  return (field) => {
    const first = orders[field as OrderedField] ?? []
    const listed = first.flatMap((name) => dialects.find((dialect) => dialect.name === name) ?? [])
    return [...listed, ...dialects.filter(({ name }) => !first.includes(name))]
  }
}

function mergeNames(field: string, dialects: readonly Dialect[]): Names {
  const at = field as NameField
  const early = dialects.flatMap(({ names }) => names?.[at] ?? [])
  const late = dialects.flatMap((dialect) => dialect.late?.[at] ?? [])
  return anyOf(...new Set([...early, ...late]))
}

const mergeOwn = (field: string, dialects: readonly Dialect[]): readonly OwnNames[] =>
  dialects.flatMap(({ name, own }) => {
    const names = own?.[field as NameField] ?? []
    return names.length === 0 ? [] : [{ of: name, names: anyOf(...names) }]
  })

/** Converts names and functions to steps. Consecutive names become one look-up. */
function toSteps(of: string | null, sources: Iterable<string | TextRead>): TextStep[] {
  const steps: TextStep[] = []
  let together: string[] = []
  const close = (): void => {
    if (together.length > 0) steps.push({ of, names: anyOf(...together), read: null })
    together = []
  }
  for (const source of sources) {
    if (typeof source === 'string') together.push(source)
    else {
      close()
      steps.push({ of, names: null, read: source })
    }
  }
  close()
  return steps
}

function mergeTexts(field: string, dialects: readonly Dialect[]): TextSteps {
  const at = field as TextField
  const early = dialects.flatMap(({ names }) => names?.[at] ?? [])
  const late = dialects.flatMap((dialect) => dialect.late?.[at] ?? [])
  const own = dialects.flatMap((dialect) => toSteps(dialect.name, dialect.own?.[at] ?? []))
  const steps = [...toSteps(null, new Set([...early, ...late])), ...own]
  const names = steps[0]?.of === null ? steps[0].names : null
  const more = names === null ? steps : steps.slice(1)
  return { names, more, moreForAll: more.filter(({ of }) => of === null) }
}

const mergeViews = (dialects: readonly Dialect[]): readonly View[] =>
  dialects.flatMap(({ name, marks, view }) =>
    view === undefined ? [] : [{ of: name, marks: anyOf(...(marks.attributes ?? [])), view }],
  )

const namesOf = (dialects: readonly Dialect[], has: (dialect: Dialect) => boolean): readonly string[] =>
  dialects.filter(has).map(({ name }) => name)

/** Whether each span has to be checked for the marks of this dialect. A dialect with a view is recognized by the view's marks. */
const isLookedFor = ({ own, bare, reads = {}, view }: Dialect): boolean =>
  view === undefined && (own !== undefined || bare !== undefined || Object.values(reads).some(isOfOwn))

/** Returns the names that may hold a whole answer. A family of names holds parts of an answer, for which there are `toolRequestMarks`. */
const mergeAnswers = (dialects: readonly Dialect[]): Names =>
  anyOf(...dialects.flatMap(({ content }) => [...(content?.out ?? []), ...(content?.both ?? [])]).filter(isOneName))

const isOneName = (name: string): boolean => !name.endsWith('.*') && !name.endsWith('.#')

/** Call it once for a list of dialects, when a file is loaded. `standard`: the names of the dialects that others extend. */
export function mergeDialects(
  dialects: readonly Dialect[],
  orders: Orders,
  standard: readonly string[],
): MergedDialects {
  const ordered = openOrder(dialects, orders)
  const names = eachNameField((field) => mergeNames(field, ordered(field)))
  const own = eachNameField((field) => mergeOwn(field, ordered(field)))
  const texts = eachTextField((field) => mergeTexts(field, ordered(field)))
  const bare = eachBareField((field) =>
    anyOf(...ordered(field).flatMap((dialect) => dialect.bare?.[field as BareField] ?? [])),
  )
  const messages = ordered('messages')
  return {
    names,
    own,
    bare,
    bareModelOf: namesOf(dialects, (dialect) => dialect.bare?.requestModel !== undefined),
    bareCountsOf: namesOf(dialects, (dialect) =>
      Object.keys(dialect.bare ?? {}).some((field) => field !== 'requestModel'),
    ),
    bareInputExcludesCache: namesOf(dialects, (dialect) => dialect.bareInputExcludesCache === true),
    eachToolOf: namesOf(dialects, (dialect) => dialect.reportsEachTool === true),
    texts,
    kinds: mergeKinds(ordered('kinds'), texts.operation),
    kindMarks: mergeKindMarks(names, own),
    toolSpans: dialects.flatMap(({ toolSpans }) => toolSpans ?? []),
    namelessToolSpans: dialects.flatMap(({ namelessToolSpans }) => namelessToolSpans ?? []),
    toolMessages: dialects.flatMap(({ name, toolMessage }) =>
      toolMessage === undefined ? [] : [{ of: name, read: toolMessage }],
    ),
    messages: [
      ...messages.flatMap((dialect) => dialect.messages ?? []),
      ...messages.flatMap(({ lateMessages }) => lateMessages ?? []),
    ],
    reads: mergeReads(ordered),
    views: mergeViews(dialects),
    recognise: openRecogniser(dialects.filter(isLookedFor)),
    nameDialect: openNamer(dialects, standard),
    readResource: openResourceReader(names),
    answers: mergeAnswers(dialects),
  }
}
