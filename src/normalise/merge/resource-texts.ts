// Reads what a resource states for all of its spans.
import type { Names } from '../../event/names.ts'
import type { Attributes } from '../../event/span.ts'
import { firstText } from '../attribute.ts'
import { firstSession } from '../session.ts'
import type { ByNameField } from './fields.ts'

/** The values that hold where a span states none, of any length. */
export type ResourceTexts = {
  readonly agent: string | null
  /** Whether the resource names its agent, not only its service. */
  readonly hasMainAgent: boolean
  readonly version: string | null
  readonly session: string | null
  readonly user: string | null
  readonly taskType: string | null
  readonly environment: string | null
}

export type ResourceReader = (resource: Attributes) => ResourceTexts

/**
 * Returns a function that reads a resource once for all of its spans, which follow each other in a request. Resources must not change. The
 * last one is kept in memory.
 */
export function openResourceReader(names: ByNameField<Names>): ResourceReader {
  let last: Attributes | null = null
  let texts: ResourceTexts
  return (resource) => {
    if (resource === last) return texts
    texts = {
      agent: firstText(resource, names.fallbackAgent),
      hasMainAgent: resource.has('gen_ai.main_agent.name'),
      version: firstText(resource, names.resourceVersion),
      session: firstSession(resource, names.resourceSession),
      user: firstText(resource, names.resourceUser),
      taskType: firstText(resource, names.taskType),
      environment: firstText(resource, names.environment),
    }
    last = resource
    return texts
  }
}
