// The exports of this folder: the time window and the filters of the URL, which all pages share.
export {
  describeIgnored,
  oneOf,
  periodFilter,
  positiveFilter,
  type Reader,
  readFilters,
  textFilter,
  uuidFilter,
} from './filters.ts'
export type { Preset } from './presets.ts'
export { changeSearch, parseSearch, type Search, stringifySearch, validateSearch } from './search.ts'
export {
  type Bounds,
  carrySearch,
  carryWindow,
  findFault,
  freezeWindow,
  type Ignored,
  moveByKey,
  readWindow,
  shiftWindow,
  type Target,
  type TimeWindow,
  widenWindow,
  windowNames,
  writeWindow,
} from './time-window.ts'
