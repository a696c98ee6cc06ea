import type { Schemas } from '../api/client.ts'

type Failed = Pick<Schemas['Event'], 'error_type' | 'error_message'>

/** Returns the type and the message of the error, as far as the sender reports them. */
export const describeError = ({ error_type: type, error_message: message }: Failed): string =>
  [type, message].filter(Boolean).join(': ') || 'failed'
