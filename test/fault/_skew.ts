// Loaded before the service (node --import) where the wall clock of some members must be wrong: CLOCK_SKEWS holds the error of each in ms,
// by member name.
import { env } from 'node:process'

const skews = JSON.parse(env['CLOCK_SKEWS'] ?? '{}') as Readonly<Record<string, number>>
const skewMs = skews[env['TRACEWRIGHT_MEMBER_NAME'] ?? ''] ?? 0

if (skewMs !== 0) {
  const Real = Date
  globalThis.Date = new Proxy(Real, {
    construct: (target, values: []) =>
      values.length === 0 ? new target(Real.now() + skewMs) : Reflect.construct(target, values),
    get: (target, name) => (name === 'now' ? () => Real.now() + skewMs : Reflect.get(target, name)),
  })
}
