import test from 'ava'
import { keyPlaceholder, makeSnippets } from '../../src/pages/start/snippets.ts'

const target = { baseUrl: 'https://traces.example.com:8443', key: 'tw_sk_abcdefgh_0123456789' }
const snippets = makeSnippets(target)

for (const { id, code } of snippets) {
  test(`${id}: names the service and the key`, (t) => {
    t.true(code.includes(`${target.baseUrl}/v1/otlp`) || code.includes(`baseUrl: '${target.baseUrl}'`))
    t.is(code.split(target.key).length, 2)
    t.false(code.includes(keyPlaceholder))
    t.false(/\bundefined\b|\[object/.test(code))
  })
}

test('the five ways, in the order in which they are shown', (t) => {
  t.deepEqual(
    snippets.map(({ id }) => id),
    ['otlp', 'typescript', 'python', 'vercel', 'curl'],
  )
})

test('the SDK is installed from a file, since no registry has it', (t) => {
  const sdk = snippets.find(({ id }) => id === 'typescript')
  t.regex(sdk?.intro ?? '', /^npm install \.\/tracewright-sdk-/)
  t.regex(sdk?.note ?? '', /npm pack --workspace sdk/)
})

test('the header of the environment is encoded, as exporters expect it', (t) => {
  t.true(snippets[0]?.code.includes(`"authorization=Bearer%20${target.key}"`))
})

for (const id of ['python', 'vercel', 'curl']) {
  test(`${id}: names the agent, so that the page of telemetry does not report it as unnamed`, (t) => {
    t.true(snippets.find((one) => one.id === id)?.code.includes('gen_ai.main_agent.name'))
  })
}
