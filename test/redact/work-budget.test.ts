import test from 'ava'
import { openRedactor } from '../../src/redact/redactor.ts'
import { markCost, maxWork, nameReserve, unscanned } from '../../src/redact/work-budget.ts'

const open = () => openRedactor(new Uint8Array(32).fill(4))
const mail = 'ada@example.com'
/** Contains one secret, and is as long as a text may be. */
const long = `${mail} ${'the fox '.repeat(32_000)}`
const mostLong = Math.floor((maxWork - nameReserve) / (long.length + markCost))

/** Uses up the work that the values of a request may cost. */
function useUp({ text }: ReturnType<typeof open>): number {
  let scanned = 0
  while (text(long).text !== unscanned) scanned++
  while (text(`${mail} ${'the fox '.repeat(20)}`).text !== unscanned);
  return scanned
}

/** Used up once; the tests do not change it. */
const spent = open()
const scannedOfSpent = useUp(spent)

test('the redaction budget of a request counts characters; beyond it a text is withheld and never passed through', (t) => {
  t.is(scannedOfSpent, mostLong)
  const before = spent.withheld()
  t.deepEqual(spent.text(`write to ${mail}`), { text: unscanned, changed: true })
  t.is(spent.withheld(), before + 1)
})

test('after that, numbers, names of withheld content and text without a sign of a secret are kept', (t) => {
  const plain = 'the fox jumps over the lazy dog'
  t.deepEqual(spent.text(plain), { text: plain, changed: false })
  t.deepEqual(spent.member('note', plain), { name: 'note', value: plain, changed: false })
  t.deepEqual(spent.member('total_tokens', 12), { name: 'total_tokens', value: 12, changed: false })
  const named = spent.member(`${mail} wrote`, `write to ${mail}`)
  t.regex(named.name, /^\[redacted:email:[0-9a-f]{8}\] wrote$/)
  t.is(named.value, unscanned)
})

test('JSON, lists, maps and secrets are withheld whole', (t) => {
  const many = Array.from({ length: 500 }, () => mail)
  for (const value of [JSON.stringify(many), many, new Map([['to', many]]), Buffer.from(`to ${mail}`)]) {
    t.deepEqual(spent.member('note', value), { name: 'note', value: unscanned, changed: true })
    t.deepEqual(spent.json(value), { value: unscanned, changed: true })
  }
  t.is(spent.member('password', 'hunter2').value, unscanned)
})

test('marks of members that promise a secret are paid for: an object bomb of them ends at the same bound', (t) => {
  const redactor = open()
  // Most of the budget goes for text, which takes less time.
  const scanned = mostLong - 10
  for (let nth = 0; nth < scanned; nth += 1) redactor.text(long)
  const left = maxWork - scanned * (long.length + markCost)
  const bomb = new Map(Array.from({ length: 5_000 }, (_, nth) => [`password${nth}`, 1.5]))
  let marked = 0
  while (redactor.json(bomb).value !== unscanned) marked += bomb.size
  t.true(marked > 0)
  t.true(marked * markCost <= left)
})

test('the next request has the whole budget, and equal requests have equal results', (t) => {
  spent.forget()
  t.regex(spent.text(mail).text, /^\[redacted:email:/)
  spent.forget()
  t.is(useUp(spent), scannedOfSpent)
})
