// Loaded ahead of the service (node --import) where the wall clock of some members is to be wrong: CLOCK_SKEWS names them, each with its ms.
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
