// The start of the service in the process of a test. The code of its roles is loaded with the file: to load it takes seconds on a busy
// machine, in which connections that other tests are making would reach their deadline.
import '../../src/roles/actor.ts'
import '../../src/roles/front.ts'

export { type Running, startAll } from '../../src/roles/all.ts'
