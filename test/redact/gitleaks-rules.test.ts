// The share of the rules of gitleaks whose secrets are caught: one made-up example for each.
import test from 'ava'
import { openRedactor } from '../../src/redact/redactor.ts'
import { formRules, namedRules } from './_gitleaks-rules.ts'
import { openRandom } from './_texts.ts'

const redactor = openRedactor(new Uint8Array(32).fill(8))
const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const alphabets: Readonly<Record<string, string>> = {
  a: letters + letters.toUpperCase() + digits,
  l: letters + digits,
  h: `abcdef${digits}`,
  u: letters.toUpperCase() + digits,
  U: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  d: digits,
  t: letters + letters.toUpperCase(),
}

/** Returns an example and its random parts, none of which may be left after redaction. */
function fill(template: string, seed: number): { readonly text: string; readonly secrets: readonly string[] } {
  const random = openRandom(seed)
  const secrets: string[] = []
  const text = template.replaceAll(/\{([a-zA-Z])(\d+)\}/g, (_, kind: string, length: string) => {
    const alphabet = alphabets[kind] ?? ''
    const part = Array.from({ length: Number(length) }, () => alphabet[random(alphabet.length)]).join('')
    secrets.push(part)
    return part
  })
  return { text, secrets: secrets.filter((part) => part.length > 6) }
}

function isCaught(template: string): boolean {
  return [1, 2, 3].every((seed) => {
    const { text, secrets } = fill(template, seed)
    const left = redactor.text(`it says ${text} there`).text
    return secrets.every((secret) => !left.includes(secret))
  })
}

const examples = [...namedRules.map((id) => [id, `${id.replaceAll('-', '_')} = "{l32}"`] as const), ...formRules]

test('of the rules that gitleaks publishes, at least four in five are caught', (t) => {
  const missed = examples.filter(([, template]) => !isCaught(template)).map(([id]) => id)
  const share = 1 - missed.length / examples.length
  t.log(
    `${examples.length - missed.length} of ${examples.length} rules (${(share * 100).toFixed(1)} %); not: ${missed.join(' ')}`,
  )
  t.true(share >= 0.8, missed.join(' '))
})
