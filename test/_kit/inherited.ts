// The environment variables that a process of the service inherits from the tests: none that would configure it.
const names = ['PATH', 'NODE_COMPILE_CACHE', 'NODE_COMPILE_CACHE_PORTABLE', 'NODE_V8_COVERAGE']

export const inherited = Object.fromEntries(
  names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
