// Whether the text of messages is shown as it was sent, or as the Markdown that it mostly is.
import { createContext, use } from 'react'

export const RawTextContext = createContext(false)

export const useRawText = (): boolean => use(RawTextContext)
