// Converts settings of the service to environment variables.

export type TestSettings = Readonly<Record<string, string | number>>

/** `PORT` becomes `TRACEWRIGHT_PORT`, and so on. */
export const toEnvironment = (settings: TestSettings): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`TRACEWRIGHT_${name}`, String(value)]))
