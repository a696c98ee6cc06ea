// The transport over NATS: what every transport promises, and what only one with a connection can get wrong.
import { randomBytes } from 'node:crypto'
import test from 'ava'
import { openNatsTransport } from '../../src/bus/nats.ts'
import { NoResponders, Unavailable } from '../../src/bus/transport.ts'
import { useNats } from '../_kit/nats.ts'
import { testTransport } from '../contract/transport.ts'

const url = useNats()
const prefix = (): string => `test-${randomBytes(6).toString('hex')}`
const open = (onError: (error: unknown) => void, words = prefix()) =>
  openNatsTransport({ address: { url }, name: 'test', prefix: words, onError })

testTransport(test, 'NATS', open)
