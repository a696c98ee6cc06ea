// A program that sends a background request to a host with two addresses, of which only the second one answers. Prints what keeps the
// process alive while the request is in progress.
import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openHttp } from '../src/http.ts'

const server = createServer(() => {
  process.stdout.write(JSON.stringify(process.getActiveResourcesInfo()))
  process.exit()
})
server.on('connection', (socket) => socket.unref())
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }))
Object.assign(dns, {
  lookup: (_name: string, _options: object, done: (error: null, found: dns.LookupAddress[]) => void) =>
    done(null, addresses),
})
const http = openHttp(new URL(`http://two-addresses.test:${(server.address() as AddressInfo).port}`), 'key')
await http.ask({ method: 'GET', path: '/', timeoutMs: 60_000, maxBytes: 100, background: true })
