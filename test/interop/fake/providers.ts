// One local server that implements OpenAI's API (under /v1/…) and Anthropic's (/v1/messages) with the answers that a test sets.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type AnthropicUsage, type Failure, makeScript, type OpenAiUsage, type Script } from './answer.ts'
import { message, messageEvents } from './anthropic.ts'
import { chatChunks, chatCompletion, embeddings, response } from './openai.ts'

export type FakeProviders = {
  /** Base address for an OpenAI client. */
  readonly openAiUrl: string
  /** Base address for an Anthropic client. */
  readonly anthropicUrl: string
  readonly openAi: Script<OpenAiUsage>
  readonly anthropic: Script<AnthropicUsage>
  stop(): Promise<void>
}

type Body = {
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage?: boolean }
  readonly input?: unknown
  readonly encoding_format?: unknown
}

export async function startFakeProviders(): Promise<FakeProviders> {
  const openAi = makeScript<OpenAiUsage>()
  const anthropic = makeScript<AnthropicUsage>()
  let served = 0

  async function answer(request: IncomingMessage, out: ServerResponse): Promise<void> {
    const body = (await json(request)) as Body
    const id = String(++served)
    if (request.url === '/v1/messages') {
      const next = anthropic.next()
      if ('status' in next) return sendFailure(out, next, 'anthropic')
      return body.stream === true
        ? sendEvents(out, messageEvents(next, `msg_${id}`))
        : sendJson(out, message(next, `msg_${id}`))
    }
    const next = openAi.next()
    if ('status' in next) return sendFailure(out, next, 'openai')
    if (request.url === '/v1/chat/completions') {
      return body.stream === true
        ? sendEvents(out, chatChunks(next, `chatcmpl-${id}`, body.stream_options?.include_usage === true))
        : sendJson(out, chatCompletion(next, `chatcmpl-${id}`))
    }
    if (request.url === '/v1/responses') return sendJson(out, response(next, `resp_${id}`))
    if (request.url === '/v1/embeddings') {
      const count = Array.isArray(body.input) ? body.input.length : 1
      return sendJson(out, embeddings(next, count, body.encoding_format))
    }
    throw new Error(`the fake provider does not know ${request.url}`)
  }

  const server = createServer((request, out) => {
    answer(request, out).catch((error: unknown) => {
      // 400: the clients would retry a 5xx and so hide the error.
      sendFailure(out, { status: 400, message: String(error) }, 'openai')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    openAiUrl: `${url}/v1`,
    anthropicUrl: url,
    openAi,
    anthropic,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function sendJson(out: ServerResponse, body: object, status = 200): void {
  out.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', 'request-id': 'req_1' })
  out.end(JSON.stringify(body))
}

function sendEvents(out: ServerResponse, events: readonly string[]): void {
  out.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1', 'request-id': 'req_1' })
  out.end(events.join(''))
}

function sendFailure(out: ServerResponse, { status, message: text }: Failure, provider: 'openai' | 'anthropic'): void {
  const error =
    provider === 'openai'
      ? { error: { message: text, type: 'invalid_request_error', param: null, code: null } }
      : { type: 'error', error: { type: 'invalid_request_error', message: text } }
  sendJson(out, error, status)
}
