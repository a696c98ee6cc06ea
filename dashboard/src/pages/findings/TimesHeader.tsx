import { Term } from '../../ui/index.ts'

/** The header of the occurrences of findings, which are not all calls of a tool. */
export const TimesHeader = () => (
  <Term means="How many calls, results or loops the finding is about: of repeated calls, those after the first">
    Times
  </Term>
)
