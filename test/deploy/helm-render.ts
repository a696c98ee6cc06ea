// `npm run chart`: renders the chart for every set of values of its tests, with a helm that Go builds if none is installed.
import { installHelm, valuesSets, writeRendered } from '../_kit/helm.ts'

const helm = installHelm()
for (const set of [...valuesSets, 'open'] as const) writeRendered(helm, set)
