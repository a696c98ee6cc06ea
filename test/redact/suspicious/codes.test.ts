import test from 'ava'
import { isPlainNumber, readDigits } from '../../../src/redact/suspicious/codes.ts'
import { endOfDigits } from '../../../src/redact/suspicious/numbers.ts'
import { openRandom } from '../_texts.ts'

const pieces = [
  ...Array.from('0123456789-. \n"\'\\:=%,_/'),
  ...Array.from('andrtvfeEDAxz'),
  ...'12 123 1234 411 4111 4111111111111111 20 2026 129 e5 E1 %3d %3D %253a \\n \\" pin otp: cvv= "value": \uff1d \uff1a DE89 de8 uff1d'.split(
    ' ',
  ),
]

test('digits that a few comparisons rule out are those in which nothing is found', (t) => {
  const random = openRandom(20_261_128)
  let plain = 0
  let found = 0
  for (let nth = 0; nth < 40_000; nth++) {
    const text = Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)]).join('')
    const bytes = Buffer.from(`xx${text}9x`)
    const [start, end] = [2, bytes.length - 2]
    for (let at = start; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte < 0x30 || byte > 0x39) continue
      const last = endOfDigits(bytes, at, end)
      const isFound = readDigits(bytes, at, last, start, end, -1) !== 'nothing'
      const isPlain = isPlainNumber(bytes, at, last, start, end, -1)
      if (isFound && isPlain) t.fail(`missed ${JSON.stringify(text)} at ${at - start}`)
      found += isFound ? 1 : 0
      plain += isPlain ? 1 : 0
      at = last
    }
  }
  t.true(found > 500 && plain > 10_000, `${found} were found, ${plain} were plain`)
})
