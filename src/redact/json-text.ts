// Redacts JSON text in place: parts that do not change keep their spelling, and large numbers keep their digits.
import { isLabel, isLabelled, promisesMore, type Sensitivity, strongerLabel } from './sensitive-keys.ts'

/** Returns the replacement of a text that is part of a secret over several lines; undefined for a text that is judged by itself. */
export type Lines = (value: string) => string | undefined

/** The redaction of the parts of a JSON text. `text`, `name` and `number` return their argument if nothing changes. */
export type JsonRules = {
  readonly text: (value: string) => string
  readonly name: (value: string) => string
  readonly sensitivity: (name: string) => Sensitivity
  /** Returns the replacement of a whole value; undefined if the value reveals nothing. */
  readonly whole: (name: string, value: unknown) => string | undefined
  readonly number: (value: number, digits: string) => string
  /** Returns a function for the texts of one list, in order: it replaces texts that contain a secret only together. */
  readonly openLines: () => Lines
}

const [quote, backslash, colon, openList, closeList, openObject, closeObject] = [
  0x22, 0x5c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
]
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
const isNumberStart = (code: number): boolean => code === 0x2d || (code >= 0x30 && code <= 0x39)
const numberToken = /-?[\d.eE+-]+/y

/** Whether a text may be a JSON object, list or string, by its first and last character. */
export function looksLikeJson(text: string): boolean {
  let first = 0
  while (isBlank(text.charCodeAt(first))) first++
  const open = text.charCodeAt(first)
  if (open !== openObject && open !== openList && open !== quote) return false
  let last = text.length - 1
  while (isBlank(text.charCodeAt(last))) last--
  return last > first && text.charCodeAt(last) === (open === quote ? quote : open + 2)
}

/** Returns the index behind the closing quote of the string that opens at `open`. */
function endOfText(json: string, open: number): number {
  for (let close = json.indexOf('"', open + 1); ; close = json.indexOf('"', close + 1)) {
    let escapes = close - 1
    while (json.charCodeAt(escapes) === backslash) escapes--
    if ((close - escapes) % 2 === 1) return close + 1
  }
}

/** Returns the index behind the closing bracket of the object or list that opens at `open`. */
function endOfStructure(json: string, open: number): number {
  let depth = 0
  for (let at = open; ; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfText(json, at) - 1
    else if (code === openObject || code === openList) depth++
    else if ((code === closeObject || code === closeList) && --depth === 0) return at + 1
  }
}

function decode(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end - 1)
  return raw.includes('\\') ? (JSON.parse(json.slice(start, end)) as string) : raw
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns for each object, by the index of its bracket, the text in it that names a secret, as `password` in `{"name": "password", "value":
 * "…"}`: of several, one that promises most. Costs one walk.
 */
function findLabels(json: string, { sensitivity }: JsonRules): ReadonlyMap<number, string> {
  const labels = new Map<number, string>()
  const opened: number[] = []
  /** The name of the next value, if that may be a label. */
  let name: string | undefined
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) {
      const end = endOfText(json, at)
      let next = end
      while (isBlank(json.charCodeAt(next))) next++
      const isName = json.charCodeAt(next) === colon
      const text = isName || name !== undefined ? decode(json, at, end) : ''
      if (!isName && name !== undefined) {
        const object = opened.at(-1) ?? 0
        const label = strongerLabel(labels.get(object), name, text, sensitivity)
        if (label !== undefined) labels.set(object, label)
      }
      name = isName && isLabel(text) ? text : undefined
      at = isName ? next : end - 1
    } else if (code === openObject || code === openList) {
      opened.push(at)
      name = undefined
    } else if (code === closeObject || code === closeList) opened.pop()
  }
  return labels
}

/**
 * Returns the JSON text with its strings, names and numbers changed by `rules`, the same text if nothing changes, and null if it is not
 * JSON. Any depth of nesting is allowed. Costs one parse and one walk, or two, all linear in the length, plus the cost of the rules.
 */
export function redactJson(json: string, rules: JsonRules): string | null {
  if (!isJson(json)) return null
  let output = ''
  let done = 0
  const put = (start: number, end: number, text: string): void => {
    output += json.slice(done, start) + JSON.stringify(text)
    done = end
  }
  /** The name of the next value, if it has one. */
  let name: string | undefined
  /** The indices of the open objects and lists. */
  const opened: number[] = []
  let labels: ReadonlyMap<number, string> | undefined
  /** Returns the name that other members of the innermost object give a value. */
  const findLabel = (): string | undefined => {
    labels ??= findLabels(json, rules)
    return labels.get(opened.at(-1) ?? 0)
  }
  let readLine = rules.openLines()

  const readText = (start: number): number => {
    const end = endOfText(json, start)
    const text = decode(json, start, end)
    let next = end
    while (isBlank(json.charCodeAt(next))) next++
    const isName = json.charCodeAt(next) === colon
    const whole = isName || name === undefined ? undefined : rules.whole(name, text)
    const after = isName ? rules.name(text) : (whole ?? readLine(text) ?? rules.text(text))
    if (after !== text) put(start, end, after)
    if (isName || name !== undefined) readLine = rules.openLines()
    const label = isName && isLabelled(text) ? findLabel() : undefined
    const isOther = label !== undefined && promisesMore(rules.sensitivity(label), rules.sensitivity(text))
    name = isName ? (isOther ? label : text) : undefined
    return isName ? next + 1 : end
  }
  const readNumber = (start: number): number => {
    numberToken.lastIndex = start
    const digits = numberToken.exec(json)?.[0] ?? ''
    const end = start + digits.length
    const value = Number(digits)
    const after = (name === undefined ? undefined : rules.whole(name, value)) ?? rules.number(value, digits)
    if (after !== digits) put(start, end, after)
    name = undefined
    return end
  }
  const readStructure = (start: number): number => {
    const sensitivity = name === undefined ? 'no' : rules.sensitivity(name)
    const isWhole = sensitivity !== 'no' && sensitivity !== 'code'
    const end = isWhole ? endOfStructure(json, start) : start + 1
    if (isWhole && name !== undefined) put(start, end, rules.whole(name, JSON.parse(json.slice(start, end))) ?? '')
    else opened.push(start)
    name = undefined
    readLine = rules.openLines()
    return end
  }

  for (let at = 0; at < json.length; ) {
    const code = json.charCodeAt(at)
    if (code === quote) at = readText(at)
    else if (code === openObject || code === openList) at = readStructure(at)
    else if (isNumberStart(code)) at = readNumber(at)
    else {
      // `null`, `true` and `false` reveal nothing.
      if (code >= 0x61 && code <= 0x7a) name = undefined
      else if (code === closeObject || code === closeList) {
        opened.pop()
        readLine = rules.openLines()
      }
      at++
    }
  }
  return done === 0 ? json : output + json.slice(done)
}
