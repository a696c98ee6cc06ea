import test from 'ava'
import { compileGlob } from '../../src/pricing/glob.ts'
import { makeRandom } from '../_kit/random.ts'

const cases: readonly (readonly [pattern: string, name: string, matches: boolean])[] = [
  ['gpt-4o', 'gpt-4o', true],
  ['gpt-4o', 'gpt-4o-mini', false],
  ['gpt-4o*', 'gpt-4o', true],
  ['gpt-4o*', 'gpt-4o-mini', true],
  ['*-mini', 'gpt-4o-mini', true],
  ['*-mini', 'gpt-4o-mini-2', false],
  ['*', '', true],
  ['', '', true],
  ['', 'a', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['*4o*mini*', 'gpt-4o-mini-2024', true],
  ['*mini*4o*', 'gpt-4o-mini-2024', false],
  ['a*aba*a', 'aababa', true],
  ['*aab*', 'aaab', true],
  ['a.c', 'abc', false],
  ['a+(b|c)', 'a+(b|c)', true],
  ['GPT*', 'gpt-4o', false],
]
for (const [pattern, name, matches] of cases) {
  test(`"${pattern}" ${matches ? 'matches' : 'does not match'} "${name}"`, (t) => {
    t.is(compileGlob(pattern)(name), matches)
  })
}

/** By the definition: a star matches any text. */
function matchesSlowly(pattern: string, name: string): boolean {
  if (pattern === '') return name === ''
  if (pattern[0] !== '*') return pattern[0] === name[0] && name !== '' && matchesSlowly(pattern.slice(1), name.slice(1))
  return Array.from({ length: name.length + 1 }, (_, at) => name.slice(at)).some((rest) =>
    matchesSlowly(pattern.slice(1), rest),
  )
}

test('it says what the definition says', (t) => {
  const random = makeRandom(7)
  const text = (letters: string, longest: number): string =>
    Array.from({ length: random.int(longest + 1) }, () => letters[random.int(letters.length)]).join('')
  const counts = { matched: 0, not: 0 }
  for (let round = 0; round < 20_000; round += 1) {
    const [pattern, name] = [text('aab**', 8), text('aab', 10)]
    const expected = matchesSlowly(pattern, name)
    counts[expected ? 'matched' : 'not'] += 1
    t.is(compileGlob(pattern)(name), expected, `${pattern} ${name}`)
  }
  t.true(counts.matched > 1_000 && counts.not > 1_000, JSON.stringify(counts))
})

test('a pattern on which a regular expression would not end is matched quickly', (t) => {
  const worst = compileGlob(`${'*a'.repeat(127)}*b*`)
  for (let round = 0; round < 1_000; round += 1) t.false(worst('a'.repeat(256)))
  t.true(worst(`${'a'.repeat(255)}b`))
})
