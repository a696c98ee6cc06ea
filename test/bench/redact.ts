// node test/bench/redact.ts: what redaction costs, and how often agents' ordinary texts need it.
import { openRedactor } from '../../src/redact/redactor.ts'
import { isSuspicious } from '../../src/redact/suspicion.ts'
import { makeOrdinaryTexts } from '../redact/_ordinary.ts'
import { report } from './_report.ts'

const rounds = 100
const textChars = 1_000

const texts = makeOrdinaryTexts(5_000, 11)
const ordinary = texts.map((text) => Buffer.from(text))
const ordinaryBytes = ordinary.reduce((sum, bytes) => sum + bytes.length, 0)
const ask = (bytes: Buffer): boolean => isSuspicious(bytes, 0, bytes.length)

const isStructure = (text: string): boolean => text.startsWith('{') || text.startsWith('[')
const allProse = texts.filter((text) => !isStructure(text) && text.includes(' ')).join('\n')
const prose = Array.from(
  { length: 200 },
  (_, nth) => `${allProse.slice(nth * textChars, (nth + 1) * textChars)} ada${nth}@example.com`,
)
const json = texts
  .filter((text) => text.startsWith('{"items"'))
  .slice(0, 200)
  .map((text, nth) => `${text.slice(0, -1)},"mail":"ada${nth}@example.com"}`)
const jsonChars = json.reduce((sum, text) => sum + text.length, 0)

const redactor = openRedactor(new Uint8Array(32))

/** Returns the ns of one pass over all items: that of the fastest round, since other load on the machine only adds time. */
function time<T>(items: readonly T[], work: (item: T) => unknown): number {
  let bestMs = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    // Each round is a separate request.
    redactor.forget()
    const startedAtMs = performance.now()
    for (const item of items) work(item)
    bestMs = Math.min(bestMs, performance.now() - startedAtMs)
  }
  return bestMs * 1e6
}

report('redact', { texts: ordinary.length, bytes: ordinaryBytes, rounds }, [
  { name: 'suspicion, ordinary texts', value: time(ordinary, ask) / ordinaryBytes, unit: 'ns/byte' },
  {
    name: 'suspicious among the ordinary texts',
    value: (ordinary.filter(ask).length / ordinary.length) * 100,
    unit: '%',
  },
  {
    name: 'redaction, 1,000 characters of prose with a find',
    value: time(prose, redactor.text) / 1e3 / prose.length,
    unit: 'µs',
  },
  {
    name: 'redaction, 1,000 characters of JSON with a find',
    value: (time(json, redactor.text) / 1e3 / jsonChars) * textChars,
    unit: 'µs',
  },
])
