// Starts the service in the process of a test. The code of its roles is loaded with this file: on a busy machine, loading it during a test
// takes seconds, in which connection attempts of other tests would time out.
import '../../src/roles/actor.ts'
import '../../src/roles/front.ts'

export { type Running, startAll } from '../../src/roles/all.ts'
