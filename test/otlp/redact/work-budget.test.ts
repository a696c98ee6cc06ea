import test from 'ava'
import { openRedactor } from '../../../src/otlp/redact/redactor.ts'
import { markCost, maxWork, nameReserve, unscanned } from '../../../src/otlp/redact/work-budget.ts'

const open = () => openRedactor(new Uint8Array(32).fill(4))
const mail = 'ada@example.com'
/** One find, and as long as a text may be. */
const long = `${mail} ${'the fox '.repeat(32_000)}`
const mostLong = Math.floor((maxWork - nameReserve) / (long.length + markCost))

/** Uses up all that values may use of a request's work. */
function useUp({ text }: ReturnType<typeof open>): number {
  let scanned = 0
  while (text(long).text !== unscanned) scanned++
  while (text(`${mail} ${'the fox '.repeat(20)}`).text !== unscanned);
  return scanned
}

test('what a request may have redacted is counted in characters; beyond it a text is withheld, and never passed through', (t) => {
  const redactor = open()
  t.is(useUp(redactor), mostLong)
  const before = redactor.withheld()
  t.deepEqual(redactor.text(`write to ${mail}`), { text: unscanned, changed: true })
  t.is(redactor.withheld(), before + 1)
})

test('what needs no look is kept after that, as are the names of what is withheld and numbers', (t) => {
  const redactor = open()
  useUp(redactor)
  const plain = 'the fox jumps over the lazy dog'
  t.deepEqual(redactor.text(plain), { text: plain, changed: false })
  t.deepEqual(redactor.member('note', plain), { name: 'note', value: plain, changed: false })
  t.deepEqual(redactor.member('total_tokens', 12), { name: 'total_tokens', value: 12, changed: false })
  const named = redactor.member(`${mail} wrote`, `write to ${mail}`)
  t.regex(named.name, /^\[redacted:email:[0-9a-f]{8}\] wrote$/)
  t.is(named.value, unscanned)
})

test('JSON, lists, maps and secrets are withheld whole', (t) => {
  const redactor = open()
  useUp(redactor)
  const many = Array.from({ length: 500 }, () => mail)
  for (const value of [JSON.stringify(many), many, new Map([['to', many]]), Buffer.from(`to ${mail}`)]) {
    t.deepEqual(redactor.member('note', value), { name: 'note', value: unscanned, changed: true })
    t.deepEqual(redactor.json(value), { value: unscanned, changed: true })
  }
  t.is(redactor.member('password', 'hunter2').value, unscanned)
})

test('marks of members that promise a secret are paid for: an object bomb of them ends at the same bound', (t) => {
  const redactor = open()
  const bomb = new Map(Array.from({ length: 30_000 }, (_, nth) => [`password${nth}`, 1.5]))
  let marked = 0
  while (redactor.json(bomb).value !== unscanned) marked += bomb.size
  t.true(marked > 0)
  t.true(marked * markCost <= maxWork)
})

test('the next request has all of it again, and the same request always comes out the same', (t) => {
  const redactor = open()
  const outcomes = [1, 2].map(() => {
    redactor.forget()
    return useUp(redactor)
  })
  t.deepEqual(outcomes, [mostLong, mostLong])
  redactor.forget()
  t.regex(redactor.text(mail).text, /^\[redacted:email:/)
})
