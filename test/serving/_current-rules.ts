// The rules of a running service, as agents fetch them.
import type { TestService } from '../_kit/serve.ts'
import { untilFound } from '../_kit/until.ts'

type Answer = Awaited<ReturnType<TestService['call']>>
type Service = Pick<TestService, 'call'>

/** Fetches the rules once. Returns null if the answer has an age: these are older rules, since the database did not answer in time. */
export async function fetchRules(service: Service, key: string): Promise<Answer | null> {
  const answer = await service.call('GET', '/v1/apply/rules', { token: key })
  return answer.headers.has('age') ? null : answer
}

/** Fetches the rules until they are not older ones. */
export const fetchCurrentRules = async (service: Service, key: string): Promise<Answer> =>
  await untilFound(async () => await fetchRules(service, key))
