// GET /v1/meta: what a client must know before a user signs in.
import { z } from 'zod'
import { ok } from '../base/outcome.ts'
import { type Route, route } from './route.ts'

/** As the OpenAPI document reports it too. */
export const interfaceVersion = '0.2.0'

const metaOut = z.object({ version: z.string(), signup_open: z.boolean(), mailer: z.boolean() }).meta({ id: 'Meta' })

type Meta = { readonly signupOpen: boolean; readonly mailer: boolean }

export function makeMetaRoute({ signupOpen, mailer }: Meta): Route {
  return route({
    method: 'GET',
    path: '/v1/meta',
    tag: 'Service',
    summary: 'Get the public properties of this service',
    description:
      '`version` is that of the interface. `signup_open` is false if signing up requires an invite. `mailer` is false if the service sends no mail, so that a forgotten password needs a reset link from an owner.',
    auth: 'none',
    status: 200,
    response: metaOut,
    handle: async () => ok({ version: interfaceVersion, signup_open: signupOpen, mailer }),
  })
}
