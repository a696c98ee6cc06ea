// HTTP: the published key set (JWKS), under both of its paths.
import { z } from 'zod'
import { etagHeader } from '../../web/representation.ts'
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
    handle: (ctx) => {
      const { body, etag } = keyring.published()
      ctx.status = 200
      ctx.set({ ETag: etag, 'Cache-Control': 'public, max-age=600', 'Content-Type': 'application/json; charset=utf-8' })
      // Not ctx.fresh: fetch in browsers adds `no-cache` to a conditional request, which would then never get a 304.
      if (namesTag(ctx.get('if-none-match'), etag)) ctx.status = 304
      else ctx.body = body
      return Promise.resolve()
    },
  }))

const namesTag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*')
