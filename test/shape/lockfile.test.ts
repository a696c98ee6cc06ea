// The lockfile must be complete for every platform, since `npm ci` refuses one that leaves any out.
import test from 'ava'
import { read } from './_source.ts'

type Locked = { readonly version?: string; readonly optionalDependencies?: Record<string, string> }

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

test('every optional package of a locked package is locked too', (t) => {
  const isLocked = (name: string, user: string): boolean =>
    Object.hasOwn(packages, `${user}/node_modules/${name}`) || Object.hasOwn(packages, `node_modules/${name}`)
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(name, path)),
  )
  t.deepEqual(missing, [])
})
