import test from 'ava'
import { isSameModel } from '../../src/resolve/same-model.ts'

type Name = string | readonly [model: string, requestModel: string]

const isSame = (one: Name, other: Name): boolean | null => {
  const named = (name: Name) => {
    const [model, requestModel] = typeof name === 'string' ? [name, null] : name
    return { model, requestModel }
  }
  const found = isSameModel(named(one), named(other))
  if (found !== isSameModel(named(other), named(one))) throw new Error('the order matters')
  return found
}

test('a name that was requested and the name of the model that answered are those of one model', (t) => {
  const pairs: [Name, Name][] = [
    [
      ['prod-chat', 'prod-chat'],
      ['gpt-4o-2024-08-06', 'prod-chat'],
    ],
    ['prod-chat', ['gpt-4o-2024-08-06', 'prod-chat']],
    ['gpt-3.5-turbo', 'gpt-3.5-turbo-0125'],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20241022'],
    ['mistral-large-latest', 'mistral-large-2411'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet-20241022-v2:0'],
    ['us.anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet-20241022'],
    ['arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-pro-v1:0', 'nova-pro'],
    ['openai/gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['claude-sonnet-4@20250514', 'claude-sonnet-4-20250514'],
    ['gpt-4-0613', 'gpt-4-2023-06-13'],
  ]
  for (const [one, other] of pairs) t.true(isSame(one, other), [one, other].flat().join(' '))
})

test('different models, dates and versions are different models, also behind one alias', (t) => {
  const pairs: [Name, Name][] = [
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt-3.5-turbo-0125', 'gpt-3.5-turbo-1106'],
    ['gpt-4o-2024-08-06', 'gpt-4o-2024-05-13'],
    ['deepseek-v2', 'deepseek-v3'],
    ['amazon.titan-embed-text-v1', 'amazon.titan-embed-text-v2:0'],
    ['anthropic.claude-3-haiku-20240307-v1:0', 'anthropic.claude-3-sonnet-20240229-v1:0'],
    ['llama3-70b-8192', 'llama3-8b-8192'],
    ['gpt-4.1', 'gpt-4'],
    [
      ['gpt-4o', 'auto'],
      ['gpt-4o-mini', 'auto'],
    ],
  ]
  for (const [one, other] of pairs) t.false(isSame(one, other), [one, other].flat().join(' '))
})

test('a span without a name of its model says nothing', (t) => {
  const nameless = { model: null, requestModel: null }
  t.is(isSameModel(nameless, { model: 'gpt-4o', requestModel: null }), null)
  t.is(isSameModel(nameless, nameless), null)
})
