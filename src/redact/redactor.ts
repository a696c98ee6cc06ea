// Removes secrets and personal identifiers from content. Patterns cannot detect names of people and free text, as the docs state.
import { hashInput } from '../event/canonical-json.ts'
import { isCardSized, isOddNumber } from './check-digits.ts'
import { cutContent, maxTextLength } from './cut-text.ts'
import { type JsonRules, type Lines, looksLikeJson, redactJson } from './json-text.ts'
import { openKeyedHash } from './keyed-hash.ts'
import type { Pattern } from './pattern.ts'
import { allPairs, findPairs, mayHold } from './pattern-pairs.ts'
import { patterns } from './patterns.ts'
import { mayHoldPrivateKey, openKeyLines } from './private-key.ts'
import { findLabel, isCode, isLabelled, promisesMore, type Sensitivity, sensitivityOf } from './sensitive-keys.ts'
import { itemCost, markCost, nameReserve, openWorkBudget, unscanned } from './work-budget.ts'

const maxDepth = 64
/** JSON inside JSON is parsed up to this depth. Deeper JSON is scanned as text. */
const maxJsonInJson = 4
/** A text with more finds is replaced whole: hashing each find would cost too much. */
const maxFinds = 4_096
/** A value that is replaced whole because of its name counts as this part of a find. Log probabilities have thousands named `token`. */
const wholeCost = 1 / 4
const maxRememberedLength = 128
const maxRemembered = 8_192
/** Hexadecimal digits in the mark of an id. There may be millions of ids. */
const idLength = 16

type Result = { readonly text: string; readonly changed: boolean }

export type Redactor = {
  /**
   * Replaces each find by `[redacted:<kind>:<8 hex>]`. A text that is JSON, and JSON inside it, is redacted by its parts as in `json`, and
   * stays JSON. Linear in the length. Returns `[redacted:unscanned]` if the work budget of the request is used up.
   */
  readonly text: (value: string) => Result
  /**
   * Redacts the texts and keys of a JSON value (Maps count as objects and stay Maps), and replaces the values of keys that promise a secret
   * whole. Returns `[redacted:unscanned]` for the whole value if the work budget of the request is used up. The result shares unchanged parts
   * with the argument. Throws if the value is nested deeper than 64.
   */
  readonly json: (value: unknown) => { readonly value: unknown; readonly changed: boolean }
  /** Redacts the name and value of one member of an object by the same rules. Unchanged values are identical. Throws as `json`. */
  readonly member: (
    name: string,
    value: unknown,
  ) => { readonly name: string; readonly value: unknown; readonly changed: boolean }
  /** As `text`, for names: they may also use the part of the work budget that is reserved for names. */
  readonly name: (value: string) => string
  /**
   * Returns the id or, if any part of it would be redacted, a keyed hash of the whole id. Different ids stay different, and an id has the
   * same result whatever else is in the request.
   */
  readonly id: (value: string) => string
  /** Returns how often something was withheld so far because a request had used up its work budget. */
  readonly withheld: () => number
  /** Call it before each request: clears the cache of short texts and refills the work budget. */
  readonly forget: () => void
}

/** The minimum length of a find, and of a find that contains none of `marks`. */
const minFind = 6
const minUnmarkedFind = 13
const marks = /[@:=.%'＝：]/
const isTooShort = (text: string): boolean =>
  text.length < minFind || (text.length < minUnmarkedFind && !marks.test(text))

/** `left`: how many finds may still be replaced in a text, below zero if there were too many. `reserve`: work that must be left over. */
type Budget = { left: number; readonly reserve: number }

/**
 * Opens a redactor for one workspace. `secret` (at least 16 bytes) is the key of the hash in each replacement: equal values can be joined
 * within the workspace, and guessed values cannot be verified without the secret.
 */
export function openRedactor(secret: Uint8Array): Redactor {
  if (secret.byteLength < 16) throw new RangeError('a redaction secret needs at least 16 bytes')
  const keyedHash = openKeyedHash(secret)
  const mark = (kind: string, value: string, length = 8): string =>
    `[redacted:${kind}:${keyedHash(value).slice(0, length)}]`

  const work = openWorkBudget()

  /** Returns false if the work budget of the request is used up: the text is then replaced whole. */
  function spend(cost: number, budget: Budget): boolean {
    if (budget.left >= 0 && !work.spend(cost, budget.reserve)) budget.left = -1
    return budget.left >= 0
  }

  /** Returns false if another mark exceeds the limits. */
  function spendMark(finds: number, budget: Budget): boolean {
    budget.left -= finds
    return spend(markCost, budget)
  }

  function apply(pattern: Pattern, input: string, budget: Budget): string {
    let output = ''
    let done = 0
    for (let find = pattern.find(input, 0); find !== null; find = pattern.find(input, find.end)) {
      if (!spendMark(1, budget)) return ''
      output += input.slice(done, find.start) + mark(pattern.kind, input.slice(find.start, find.end))
      done = find.end
    }
    return done === 0 ? input : output + input.slice(done)
  }

  // Caches the results of short texts: keys, models and names repeat in every span.
  let known = new Map<string, string>()

  function applyAll(value: string, budget: Budget): string {
    if (isTooShort(value)) return value
    const isShort = value.length <= maxRememberedLength
    const before = isShort ? known.get(value) : undefined
    if (before !== undefined) return before
    let text = cutContent(value)
    let isPaid = false
    let pairs = findPairs(text)
    for (let nth = 0; nth < patterns.length; nth++) {
      const pattern = patterns[nth] as Pattern
      if (!mayHold(nth, pairs) || !pattern.mayMatch(text)) continue
      if (!isPaid && !spend(value.length, budget)) return ''
      isPaid = true
      const given = text
      text = apply(pattern, text, budget)
      // Changed texts are few, and another pass over them would not be paid.
      if (text !== given) pairs = allPairs
    }
    if (isShort && budget.left >= 0) {
      if (known.size >= maxRemembered) known.clear()
      known.set(value, text)
    }
    return text
  }

  function openLines(budget: Budget): Lines {
    const isKeyLine = openKeyLines()
    return (line) => {
      if (!isKeyLine(line)) return undefined
      return spendMark(1, budget) ? mark('private_key', line) : ''
    }
  }

  const judgeAlone: Lines = () => undefined

  function openJsonRules(json: string, level: number, budget: Budget): JsonRules {
    const hasKeyLines = mayHoldPrivateKey(json)
    return {
      text: (value) => redactInside(value, level + 1, budget),
      name: (value) => applyAll(value, budget),
      number: (value, digits) => redactNumber(value, digits, budget),
      sensitivity: readSensitivity,
      whole(name, value) {
        if (readSensitivity(name) === 'no') return undefined
        return spendMark(wholeCost, budget) ? redactWhole(name, value) : ''
      },
      openLines: () => (hasKeyLines ? openLines(budget) : judgeAlone),
    }
  }

  function redactInside(value: string, level: number, budget: Budget): string {
    if (isTooShort(value)) return value
    if (level < maxJsonInJson && looksLikeJson(value)) {
      if (!spend(value.length, budget)) return ''
      const json = redactJson(value, openJsonRules(value, level, budget))
      if (json !== null) return value.length > maxTextLength ? cutContent(json) : json
    }
    return applyAll(value, budget)
  }

  function redactText(value: string, reserve = nameReserve): Result {
    const budget = { left: maxFinds, reserve }
    const refusals = work.refusals()
    const text = isOddNumber(value) ? redactNumber(Number(value), value, budget) : redactInside(value, 0, budget)
    if (work.refusals() > refusals) return { text: unscanned, changed: true }
    if (budget.left < 0) return { text: mark('dense', value), changed: true }
    return { text, changed: text !== value }
  }

  /** `digits` is the spelling of the number. */
  function redactNumber(value: number | bigint, digits: string, budget: Budget): string {
    if (isCardSized(value)) {
      const plain = String(value)
      const text = applyAll(plain, budget)
      if (text !== plain) return text
    }
    return digits.length < minUnmarkedFind ? digits : applyAll(digits, budget)
  }

  const sensitivities = new Map<string, Sensitivity>()

  function readSensitivity(name: string): Sensitivity {
    const before = sensitivities.get(name)
    if (before !== undefined) return before
    const sensitivity = sensitivityOf(name)
    if (sensitivities.size >= maxRemembered) sensitivities.clear()
    if (name.length <= maxRememberedLength) sensitivities.set(name, sensitivity)
    return sensitivity
  }

  /** Returns the replacement of a value whose key promises a secret; undefined if the value reveals nothing. */
  function redactWhole(name: string, value: unknown): string | undefined {
    const sensitivity = readSensitivity(name)
    if (sensitivity === 'no' || value === null || value === undefined || value === '') return undefined
    if (typeof value === 'boolean' || (typeof value === 'string' && value.startsWith('[redacted:'))) return undefined
    if (sensitivity === 'code') return isCode(value) ? mark('secret', String(value)) : undefined
    if (typeof value === 'string') return mark('secret', value)
    return sensitivity === 'any' || typeof value === 'object' ? mark('secret', hashInput(value) ?? 'value') : undefined
  }

  function redactBytes(value: Uint8Array): unknown {
    const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
    return redactText(text).changed ? mark('bytes', text) : value
  }

  function redactMember(
    name: string,
    value: unknown,
    depth: number,
    promise = name,
  ): { name: string; value: unknown; changed: boolean } {
    const after = redactText(name, 0).text
    const next = redactNamed(promise, value, depth)
    return { name: after, value: next, changed: !Object.is(next, value) || after !== name }
  }

  function redactNamed(name: string, value: unknown, depth: number): unknown {
    if (readSensitivity(name) === 'no') return redactValue(value, depth + 1)
    if (!work.spend(markCost, nameReserve)) return unscanned
    return redactWhole(name, value) ?? redactValue(value, depth + 1)
  }

  function redactMembers(members: readonly [unknown, unknown][], depth: number): [string, unknown][] | null {
    let changed = false
    const label = members.some(([key]) => isLabelled(String(key))) ? findLabel(members, readSensitivity) : undefined
    const redacted: [string, unknown][] = []
    for (const [key, value] of members) {
      const name = String(key)
      const isOther =
        label !== undefined && isLabelled(name) && promisesMore(readSensitivity(label), readSensitivity(name))
      const member = redactMember(name, value, depth, isOther ? label : name)
      changed ||= member.changed
      redacted.push([member.name, member.value])
    }
    return changed ? redacted : null
  }

  /** Returns the identical value if nothing changed. */
  function redactValue(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactText(value).text
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (!isCardSized(value)) return value
      const { text, changed } = redactText(String(value))
      return changed ? text : value
    }
    if (typeof value !== 'object' || value === null) return value
    if (depth >= maxDepth) throw new RangeError('content is nested too deeply to be redacted')
    if (value instanceof Uint8Array) return redactBytes(value)
    if (Array.isArray(value)) {
      if (!work.spend(value.length * itemCost, nameReserve)) return unscanned
      const items = value.map((item) => redactValue(item, depth + 1))
      return items.some((item, i) => !Object.is(item, value[i])) ? items : value
    }
    const entries = value instanceof Map ? [...value] : Object.entries(value)
    if (!work.spend(entries.length * itemCost, nameReserve)) return unscanned
    const members = redactMembers(entries, depth)
    if (members === null) return value
    return value instanceof Map ? new Map(members) : Object.fromEntries(members)
  }

  /** Returns the result of `redact`, or of `withhold` for the whole value if a part of it had to be withheld. */
  function orWithheld<T>(redact: () => T, withhold: (redacted: T) => T): T {
    const refusals = work.refusals()
    const redacted = redact()
    return work.refusals() === refusals ? redacted : withhold(redacted)
  }

  return {
    text: (value) => redactText(value),
    name: (value) => redactText(value, 0).text,
    id: (value) => (redactText(value, 0).changed ? mark('id', value, idLength) : value),
    withheld: work.refusals,
    forget() {
      known = new Map()
      work.refill()
    },
    member: (name, value) =>
      orWithheld(
        () => redactMember(name, value, 0),
        (member) => ({ ...member, value: unscanned, changed: true }),
      ),
    json(value) {
      const redacted = orWithheld(
        () => redactValue(value, 0),
        () => unscanned,
      )
      return { value: redacted, changed: !Object.is(redacted, value) }
    },
  }
}
