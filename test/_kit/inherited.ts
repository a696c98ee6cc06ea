// The environment variables that a process of the service inherits from the tests: none that would configure it.
const { PATH, NODE_COMPILE_CACHE } = process.env

export const inherited = { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
