// HTTP: the published key set (JWKS), under both of its paths.
import { z } from 'zod'
import { etagHeader, isHeld } from '../../web/representation.ts'
import type { RawRoute } from '../../web/route.ts'
import type { Keyring } from './keyring.ts'

const headers = { ...etagHeader, 'Cache-Control': { schema: { type: 'string' } } } as const

const operation = {
  requestParams: { header: z.object({ 'If-None-Match': z.string().optional() }) },
  responses: {
    200: {
      description:
        'The keys that verify access tokens: the current key, the next key and, for an hour after a rotation, the previous key',
      headers,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['keys'],
            properties: {
              keys: { type: 'array', items: { type: 'object', additionalProperties: { type: 'string' } } },
            },
          },
        },
      },
    },
    304: { description: 'The key set named by If-None-Match is current', headers },
  },
}

export const makeKeySetRoutes = (keyring: Pick<Keyring, 'published'>): RawRoute[] =>
  ['/v1/auth/jwks', '/.well-known/jwks.json'].map((path) => ({
    kind: 'raw',
    method: 'GET',
    path,
    tag: 'Auth and sessions',
    summary: 'Get the key set (JWKS) that verifies access tokens',
    auth: 'none',
    operation,
    handle: (ctx, _who, request) => {
      const form = keyring.published()
      // Not ctx.fresh: fetch in browsers adds `no-cache` to a conditional request, which would then never get a 304.
      const isCurrent = isHeld(request.header('if-none-match'), form)
      ctx.status = isCurrent ? 304 : 200
      ctx.set(isCurrent ? form.validators : form.fullHeaders)
      if (!isCurrent) ctx.body = form.body
      return Promise.resolve()
    },
  }))
