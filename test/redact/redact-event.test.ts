import test from 'ava'
import fc from 'fast-check'
import { openEventRedactor } from '../../src/redact/redact-event.ts'
import { openRedactor } from '../../src/redact/redactor.ts'
import { maxWork } from '../../src/redact/work-budget.ts'
import { makeEvent } from '../_kit/batch.ts'
import { inSoak, seed } from '../_kit/soak.ts'
import { openMaker, planted } from './_texts.ts'

const secret = new Uint8Array(32).fill(4)
const redactor = openRedactor(secret)
const [ada, bob] = ['ada@example.com', 'bob@example.com']
const idMark = /^\[redacted:id:[0-9a-f]{16}\]$/

function keep(given: Parameters<typeof makeEvent>[0], mode: 'none' | 'redacted' | 'full' = 'redacted') {
  const events = openEventRedactor(mode, redactor)
  redactor.forget()
  events.begin(mode, redactor)
  return events.keep(makeEvent(given))
}

test('an event without anything to find is the event itself, as is every one whose content is kept as sent', (t) => {
  const events = openEventRedactor('redacted', redactor)
  const plain = makeEvent({
    sessionId: '550e8400-e29b-41d4-a716-446655440000',
    toolName: 'search',
    agentOwn: 'planner',
  })
  t.is(events.keep(plain), plain)
  t.is(plain.flags.size, 0)
  events.begin('full', redactor)
  const personal = makeEvent({ sessionId: ada, errorMessage: ada })
  t.is(events.keep(personal), personal)
})

test('an id that looks personal becomes a hash of all of it, the same in every request and in no other workspace', (t) => {
  const first = keep({ sessionId: ada, userId: `user of ${ada}`, toolCallId: ada })
  t.regex(String(first.sessionId), idMark)
  t.regex(String(first.userId), idMark)
  t.is(first.toolCallId, first.sessionId)
  t.not(first.userId, first.sessionId)
  t.is(keep({ sessionId: ada }).sessionId, first.sessionId)
  t.not(keep({ sessionId: bob }).sessionId, first.sessionId)
  t.not(openRedactor(new Uint8Array(32)).id(ada), first.sessionId)
  t.is(keep({ sessionId: first.sessionId }).sessionId, first.sessionId)
  t.true(first.flags.has('redacted'))
})

test('the lists of ids and the tools that a model asks for are redacted as the calls that they name', (t) => {
  const call = keep({ toolCallId: ada, toolName: `mail ${bob}` })
  const asked = keep({
    toolRequests: [
      { id: ada, name: `mail ${bob}` },
      { id: null, name: 'search' },
    ],
    consumedToolCallIds: [ada, 'call_1'],
    readToolCallIds: [ada],
  })
  t.deepEqual(asked.toolRequests, [
    { id: call.toolCallId, name: String(call.toolName) },
    { id: null, name: 'search' },
  ])
  t.deepEqual(asked.consumedToolCallIds, [call.toolCallId, 'call_1'])
  t.deepEqual(asked.readToolCallIds, [call.toolCallId])
})

test('a hash is kept, whatever its digits look like, and any other text in its place is an id', (t) => {
  for (const algorithm of ['sha256', 'hmac-sha256']) {
    const hash = `${algorithm}:4111111111111111${'a'.repeat(48)}`
    t.not(redactor.id(hash), hash)
    const { inputHash, contentHash, scopeHash } = keep({ inputHash: hash, contentHash: hash, scopeHash: hash })
    t.deepEqual([inputHash, contentHash, scopeHash], [hash, hash, hash])
    t.regex(String(keep({ inputHash: `${hash}0` }).inputHash), idMark)
  }
  t.regex(String(keep({ inputHash: ada }).inputHash), idMark)
})

test('a name keeps what is not personal in it', (t) => {
  const { text } = redactor.text(ada)
  const kept = keep({
    name: `GET /users/${ada}`,
    agentOwn: `agent of ${ada}`,
    model: `ft:${ada}`,
    errorMessage: `no ${ada}`,
  })
  t.deepEqual(
    [kept.name, kept.agentOwn, kept.model, kept.errorMessage],
    [`GET /users/${text}`, `agent of ${text}`, `ft:${text}`, `no ${text}`],
  )
})

test('without content no error message is kept', (t) => {
  const kept = keep({ errorMessage: 'the quick brown fox', name: `call ${ada}` }, 'none')
  t.is(kept.errorMessage, null)
  t.is(kept.name, `call ${redactor.text(ada).text}`)
})

test('names and ids are the same where the content of their request was too much to look at', (t) => {
  const { agentOwn, sessionId } = keep({ agentOwn: ada, sessionId: ada })
  redactor.forget()
  // Takes a fifth of the time of a single word of that length.
  const prose = 'the fox '.repeat(31_250)
  for (let spent = 0; spent < maxWork; spent += 250_000) redactor.text(`${spent} a@b.co ${prose}`)
  t.is(redactor.text(`${ada} ${prose}`).text, '[redacted:unscanned]')
  const events = openEventRedactor('redacted', redactor)
  const kept = events.keep(makeEvent({ agentOwn: ada, sessionId: ada }))
  t.deepEqual([kept.agentOwn, kept.sessionId], [agentOwn, sessionId])
  redactor.forget()
})

const names = ['name', 'operation', 'scopeName', 'scopeVersion', 'errorType', 'agentOwn', 'agentFallback'] as const
const moreNames = ['agentVersion', 'taskType', 'environment', 'provider', 'requestModel', 'model'] as const
const toolNames = ['toolName', 'toolVersion'] as const
const allNames = [...names, ...moreNames, ...toolNames]
const ids = ['sessionId', 'userId', 'responseId', 'toolCallId', 'inputHash', 'contentHash', 'scopeHash'] as const

test('each field is redacted, also where no other field is', (t) => {
  for (const field of allNames) t.is(keep({ [field]: ada })[field], redactor.name(ada), field)
  for (const field of ids) t.is(keep({ [field]: ada })[field], redactor.id(ada), field)
})

/** Texts of any characters, pieces of secrets, and generated ids. */
function makeTexts(): fc.Arbitrary<string> {
  const { text } = openMaker(20_261_124)
  const made = Array.from({ length: 3_000 }, () => text().toWellFormed().slice(0, 256))
  const secrets = planted.map(([, secret, before = '', behind = '']) => `${before}${secret}${behind}`)
  return fc.oneof(
    fc.constantFrom(...made.filter((one) => one.isWellFormed())),
    fc.constantFrom(...secrets),
    fc.tuple(fc.constantFrom(...secrets), fc.string({ maxLength: 3, unit: 'grapheme' })).map((parts) => parts.join('')),
    fc.string({ maxLength: 60, unit: 'grapheme' }),
    fc.uuid(),
  )
}

test('each field is what the redactor makes of its text, whatever was told of it without the redactor', (t) => {
  const texts = makeTexts()
  const given = fc.record(Object.fromEntries([...allNames, ...ids].map((field) => [field, texts])))
  const alone = openRedactor(secret)
  let changed = 0
  fc.assert(
    fc.property(given, (fields) => {
      const kept = keep(fields)
      alone.forget()
      for (const field of allNames) t.is(kept[field], alone.name(fields[field] ?? ''), field)
      for (const field of ids) t.is(kept[field], alone.id(fields[field] ?? ''), field)
      if (kept.flags.has('redacted')) changed++
    }),
    { numRuns: inSoak(60, 150), seed },
  )
  t.true(changed > inSoak(30, 75))
})
