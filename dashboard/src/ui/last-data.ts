import { useState } from 'react'

/** The data of a question, and where it failed those that were shown before: a figure of some seconds ago is better than none. */
export function useLastData<T>(data: T | undefined): T | undefined {
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  return data ?? last
}
