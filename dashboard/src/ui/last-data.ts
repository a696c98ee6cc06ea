import { useState } from 'react'

/** Returns the data of a query, or the last data if it has none, as after a failure: an old figure is better than none. */
export function useLastData<T>(data: T | undefined): T | undefined {
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  return data ?? last
}
