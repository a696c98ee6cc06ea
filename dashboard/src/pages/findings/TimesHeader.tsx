import { Term } from '../../ui/index.ts'

/** The header of the occurrences of findings, which are not all calls of a tool. */
export const TimesHeader = () => (
  <Term means="The number of calls, results or loops that the title of the finding counts, which are not all calls of the tool">
    Times
  </Term>
)
