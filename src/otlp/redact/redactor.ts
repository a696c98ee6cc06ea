// Takes secrets and personal identifiers out of content. Patterns miss names and free text, and say so in the docs.
import { createHmac, createSecretKey } from 'node:crypto'
import { hashInput } from '../canonical-json.ts'
import { isCardSized } from './check-digits.ts'
import { cut, maxTextLength } from './cut-text.ts'
import { type JsonRules, type Lines, looksLikeJson, redactJson } from './json-text.ts'
import { type Pattern, patterns } from './patterns.ts'
import { mayHoldPrivateKey, openKeyLines } from './private-key.ts'
import { isLabel, isLabelled, type Sensitivity, sensitivityOf } from './sensitive-keys.ts'
import { itemCost, markCost, nameReserve, openWorkBudget, unscanned } from './work-budget.ts'

const maxDepth = 64
/** JSON inside of JSON as deep as this is looked into; deeper, it is looked through as text. */
const maxJsonInJson = 4
/** More finds than this in one text, and all of it is taken out: hashing each would cost too much. */
const maxFinds = 4_096
/** A value that goes whole for its name need not be found. A model's log probabilities have thousands named `token`. */
const wholeCost = 1 / 4
const maxRememberedLength = 128
const maxRemembered = 8_192
/** Hexadecimal digits in the mark of an id, of which there may be millions. */
const idLength = 16

type Result = { readonly text: string; readonly changed: boolean }

export type Redactor = {
  /**
   * The text with each find as `[redacted:<kind>:<8 hex>]`. A text that is JSON is redacted by its parts, as `json` does
   * it, JSON inside of it included, and stays JSON. Linear in its length. `[redacted:unscanned]` where the request has used up what
   * redaction may do for it.
   */
  readonly text: (value: string) => Result
  /**
   * A JSON value (Maps count as objects, and stay Maps) with its texts and keys redacted and the values of keys that
   * promise a secret replaced whole; `[redacted:unscanned]`, all of it, where it was too much for the request. Shares what did not
   * change. Throws where nested deeper than 64.
   */
  readonly json: (value: unknown) => { readonly value: unknown; readonly changed: boolean }
  /** One member of an object by the same rules: its name and value, identically where nothing changed. Throws as `json`. */
  readonly member: (
    name: string,
    value: unknown,
  ) => { readonly name: string; readonly value: unknown; readonly changed: boolean }
  /** As `text`, for what names a thing: it may use work that is kept back from content. */
  readonly name: (value: string) => string
  /**
   * The id, or, where any of it would be redacted, a keyed hash of all of it: two ids stay two, and one stays the same whatever else
   * its request holds.
   */
  readonly id: (value: string) => string
  /** How many things were withheld so far because a request had used up what redaction may do for it. */
  readonly withheld: () => number
  /** Before a request: forgets what was found in short texts, and allows as much work again. */
  readonly forget: () => void
}

/** The shortest find of all, and of those that hold none of these marks. */
const minFind = 6
const minUnmarkedFind = 13
const marks = /[@:=.]/
const isTooShort = (text: string): boolean =>
  text.length < minFind || (text.length < minUnmarkedFind && !marks.test(text))

/** A JSON number alone in a text that is no plain row of digits; whoever reads the text as JSON gets those. */
const oddNumber = /^\s*(?=\d+[.eE])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/
const maxOddNumber = 64

/** What may still be replaced in a text; below zero, it was too much. `reserve` is what must be left of the request's work. */
type Budget = { left: number; readonly reserve: number }

/**
 * A redactor for one workspace. `secret` (at least 16 bytes) keys the hash in each replacement: equal values can be
 * joined within the workspace, and nobody without the secret can try values out.
 */
export function openRedactor(secret: Uint8Array): Redactor {
  if (secret.byteLength < 16) throw new RangeError('a redaction secret needs at least 16 bytes')
  const key = createSecretKey(secret)
  const mark = (kind: string, value: string, length = 8): string =>
    `[redacted:${kind}:${createHmac('sha256', key).update(value).digest('hex').slice(0, length)}]`

  const work = openWorkBudget()

  /** False where the request has no more work to spend: its text is then replaced whole. */
  function spend(cost: number, budget: Budget): boolean {
    if (budget.left >= 0 && !work.spend(cost, budget.reserve)) budget.left = -1
    return budget.left >= 0
  }

  /** False where one more mark is too much. */
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

  // Keys, models and names come again with every span: what was found in a short text is remembered.
  let known = new Map<string, string>()

  function applyAll(value: string, budget: Budget): string {
    if (isTooShort(value)) return value
    const isShort = value.length <= maxRememberedLength
    const before = isShort ? known.get(value) : undefined
    if (before !== undefined) return before
    let text = cut(value)
    let isPaid = false
    for (const pattern of patterns) {
      if (!pattern.worthALook(text)) continue
      if (!isPaid && !spend(value.length, budget)) return ''
      isPaid = true
      text = apply(pattern, text, budget)
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
      promisesSecret: (name) => readSensitivity(name) !== 'no',
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
      if (json !== null) return value.length > maxTextLength ? cut(json) : json
    }
    return applyAll(value, budget)
  }

  function redactText(value: string, reserve = nameReserve): Result {
    const budget = { left: maxFinds, reserve }
    const refusals = work.refusals()
    const isOdd = value.length <= maxOddNumber && oddNumber.test(value)
    const text = isOdd ? redactNumber(Number(value), value, budget) : redactInside(value, 0, budget)
    if (work.refusals() > refusals) return { text: unscanned, changed: true }
    if (budget.left < 0) return { text: mark('dense', value), changed: true }
    return { text, changed: text !== value }
  }

  /** `digits` is how the number is spelt. */
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

  /** The replacement of a value whose key promises a secret; undefined where the value tells nothing. */
  function redactWhole(name: string, value: unknown): string | undefined {
    const sensitivity = readSensitivity(name)
    if (sensitivity === 'no' || value === null || value === undefined || value === '') return undefined
    if (typeof value === 'boolean' || (typeof value === 'string' && value.startsWith('[redacted:'))) return undefined
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

  /** What is named by a member before it, as in `{"name": "password", "value": "…"}`, is redacted by that name. */
  function redactMembers(members: Iterable<[unknown, unknown]>, depth: number): [string, unknown][] | null {
    let changed = false
    let label: string | undefined
    const redacted: [string, unknown][] = []
    for (const [key, value] of members) {
      const name = String(key)
      const member = redactMember(name, value, depth, isLabelled(name) ? label : undefined)
      if (typeof value === 'string' && isLabel(name) && readSensitivity(value) !== 'no') label = value
      changed ||= member.changed
      redacted.push([member.name, member.value])
    }
    return changed ? redacted : null
  }

  /** The same value, identically, where nothing changed. */
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

  /** What `redact` makes of a value, or the mark for all of it where a part of it had to be withheld. */
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
