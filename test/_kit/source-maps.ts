// Loaded ahead of every test process (`nodeArguments` of ava). ava turns source maps on: each process would read and parse those of every
// package that it loads. Our own files have none, since types are stripped where they stand.
import { setSourceMapsSupport } from 'node:module'

setSourceMapsSupport(false)
