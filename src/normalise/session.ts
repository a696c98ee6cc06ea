// Reads a session, and tells placeholders from ids.
import type { Names } from '../event/names.ts'
import type { Attributes } from '../event/span.ts'
import { among, asText } from './attribute.ts'

/**
 * How senders spell a missing id, which would put all users into one session; and OpenAI's id of a response. Where a request continues an
 * earlier response, some instrumentations report the id of this response as the conversation: each call would be a session of its own.
 */
const placeholder = /^(?:(?:null|None|undefined)$|resp_)/
const placeholderStarts = 'nNur'

/** The first letter rules out most ids. */
const isPlaceholder = (text: string): boolean => placeholderStarts.includes(text.charAt(0)) && placeholder.test(text)

/** Returns the first of `names` that holds a session, as text of any length. `isOther`: whether a text is the id of something else. */
export function firstSession(
  attributes: Attributes,
  names: Names,
  isOther: (id: string) => boolean = () => false,
): string | null {
  for (const key of among(attributes, names)) {
    const text = asText(attributes.get(key))
    if (text !== null && !isPlaceholder(text) && !isOther(text)) return text
  }
  return null
}
