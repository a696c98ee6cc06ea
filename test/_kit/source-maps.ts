// Loaded before every test process (`nodeArguments` of ava). ava enables source maps, so each process would read and parse those of every
// package that it loads. The files of this repository have none, since type stripping does not move code.
import { setSourceMapsSupport } from 'node:module'

setSourceMapsSupport(false)
