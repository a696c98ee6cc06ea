import test from 'ava'
import { makeShortcutRegistry } from '../../src/app/shortcuts/registry.ts'

const run = (): void => undefined

test('a shortcut of one key or of two keys in a row runs its action', (t) => {
  const registry = makeShortcutRegistry()
  registry.add({ keys: '?', label: 'Help', run })
  registry.add({ keys: 'g t', label: 'Traces', run })
  registry.add({ keys: 't', label: 'Window', run })
  t.is(registry.press('?', 0)?.label, 'Help')
  t.is(registry.press('t', 10)?.label, 'Window')
  t.is(registry.press('g', 20), null)
  t.is(registry.press('t', 500)?.label, 'Traces')
  t.is(registry.press('t', 510)?.label, 'Window')
})

test('a second key that is late or unknown ends the sequence', (t) => {
  const registry = makeShortcutRegistry()
  registry.add({ keys: 'g t', label: 'Traces', run })
  registry.add({ keys: 't', label: 'Window', run })
  registry.press('g', 0)
  t.is(registry.press('t', 5_000)?.label, 'Window')
  registry.press('g', 6_000)
  t.is(registry.press('x', 6_100), null)
  t.is(registry.press('t', 6_200)?.label, 'Window')
})

test('of two shortcuts with the same keys, the later one applies until it is removed', (t) => {
  const registry = makeShortcutRegistry()
  registry.add({ keys: 'j', label: 'Next row', run })
  const remove = registry.add({ keys: 'j', label: 'Next trace', run })
  t.is(registry.press('j', 0)?.label, 'Next trace')
  t.deepEqual(
    registry.list().map(({ label }) => label),
    ['Next trace'],
  )
  remove()
  t.is(registry.press('j', 0)?.label, 'Next row')
})
