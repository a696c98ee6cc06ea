// Contrast of the themes: every text colour is readable on every background, and every mark is visible, in both themes.
import { readFileSync } from 'node:fs'
import test from 'ava'

const css = readFileSync(new URL('../../src/app/tokens.css', import.meta.url), 'utf8')
const readTokens = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [name, colour]))
const [lightText = '', darkText = ''] = css.split('[data-theme="dark"]')
const light = readTokens(lightText)
const themes = { light, dark: new Map([...light, ...readTokens(darkText)]) }

/** The relative luminance, as WCAG defines it. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

const grounds = ['bg', 'sunken', 'raised']
const texts = ['text', 'muted', 'faint', 'accent', 'danger', 'warning', 'good', 'info']
const states = ['proposed', 'shadow', 'active', 'disabled', 'tripped'].map((state) => `state-${state}`)

for (const [theme, tokens] of Object.entries(themes)) {
  const colourOf = (name: string): string => {
    const colour = tokens.get(name)
    if (colour === undefined) throw new Error(`there is no token ${name}`)
    return colour
  }
  const hold = (pairs: readonly (readonly [string, string])[], least: number): string[] =>
    pairs
      .filter(([mark, ground]) => contrast(colourOf(mark), colourOf(ground)) < least)
      .map(([mark, ground]) => `${mark} on ${ground}: ${contrast(colourOf(mark), colourOf(ground)).toFixed(2)}`)

  test(`check 32: text of the ${theme} theme has a contrast of 4.5`, (t) => {
    const onGrounds = texts.flatMap((text) => grounds.map((ground) => [text, ground] as const))
    const onStates = states.map((state) => [state, `${state}-bg`] as const)
    t.deepEqual(hold([...onGrounds, ...onStates, ['on-accent', 'accent']], 4.5), [])
  })

  test(`check 32: marks of the ${theme} theme have a contrast of 3`, (t) => {
    const marks = ['border-strong', ...[...tokens.keys()].filter((name) => name.startsWith('series-'))]
    t.deepEqual(
      hold(
        marks.map((mark) => [mark, 'bg']),
        3,
      ),
      [],
    )
  })
}
