// Charts and the small pictures beside numbers.
export { Chart, type ChartProps } from './Chart.tsx'
export { assignSlots, nameSlot, type Slot } from './colours.ts'
export { Gauge } from './Gauge.tsx'
export { ShareBar } from './ShareBar.tsx'
export { type BarPart, SliceBar } from './SliceBar.tsx'
export { Sparkline } from './Sparkline.tsx'
export { describeSeries, type Series } from './series.ts'
export type { Unit, Value } from './units.ts'
