import test from 'ava'
import { rejectAll } from '../../src/web/authenticate.ts'
import { interfaceVersion, makeMetaRoute } from '../../src/web/meta-route.ts'
import { openHttp } from '../_kit/http.ts'

test('before sign-in, a client can read whether sign-up is open, and whether mail is sent', async (t) => {
  for (const [signupOpen, mailer] of [
    [true, false],
    [false, true],
  ] as const) {
    const http = await openHttp([makeMetaRoute({ signupOpen, mailer })], rejectAll)
    t.teardown(http.stop)
    const answer = await http.call('GET', '/v1/meta')
    t.is(answer.status, 200)
    t.deepEqual(answer.body, { version: interfaceVersion, signup_open: signupOpen, mailer })
  }
})
