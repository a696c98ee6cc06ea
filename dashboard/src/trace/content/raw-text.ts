// Whether the text of messages is shown as it was sent, or rendered as Markdown.
import { createContext, use } from 'react'

export const RawTextContext = createContext(false)

export const useRawText = (): boolean => use(RawTextContext)
