// What a process of the service gets of the environment of the tests: nothing that would configure it.
const { PATH, NODE_COMPILE_CACHE } = process.env

export const inherited = { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
