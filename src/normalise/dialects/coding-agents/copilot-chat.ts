// The dialect of Copilot Chat, the coding agent of VS Code, which uses OpenTelemetry's names.
import { anyOf } from '../../../event/names.ts'
import { firstText, has } from '../../attribute.ts'
import type { Dialect } from '../../merge/definition.ts'

/** Present on each model call, and on no other span. */
const promptLimitNames = anyOf('copilot_chat.request.max_prompt_tokens')
const conversationNames = anyOf('gen_ai.conversation.id')
/** `copilot_chat.chat_session_id` is not read: in an agent that another one calls, it is the id of the call. */
const sessionNames = anyOf('copilot_chat.session_id', 'copilot_chat.parent_chat_session_id')

export const copilotChat: Dialect = {
  name: 'copilot-chat',
  marks: {
    scopes: ['copilot-chat'],
    attributes: [...promptLimitNames.all, 'copilot_chat.session_id', 'copilot_chat.chat_session_id'],
  },
  names: {
    // The parent's is that of the conversation for which a request such as that for a title is made.
    session: sessionNames.all,
  },
  reads: {
    /** Model calls have the name of the request as the agent, such as `title`, `retry-panel/editAgent` or `AnthropicBYOK`. */
    isAgentUnknown: { on: { own: true }, read: (_, kind) => kind === 'llm' },
    /**
     * Model calls of releases that state no session have the id of the request as the conversation. It is also the response id, which a failed
     * request lacks.
     */
    isSessionUnknown: {
      on: { attributes: promptLimitNames.all },
      read: ({ attributes }, session) =>
        has(attributes, promptLimitNames) &&
        !has(attributes, sessionNames) &&
        session === firstText(attributes, conversationNames),
    },
  },
}
