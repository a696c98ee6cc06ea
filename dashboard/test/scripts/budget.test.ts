import test from 'ava'
import { type Manifest, measureBuild, overBudget } from '../../scripts/budget.ts'

const kilobytes = (count: number): number => count * 1_024

const manifest: Manifest = {
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    imports: ['_shared.js'],
    dynamicImports: ['src/pages/a/APage.tsx', 'src/pages/b/BPage.tsx'],
    css: ['assets/index.css'],
  },
  '_shared.js': { file: 'assets/shared.js' },
  '_chart.js': { file: 'assets/chart.js' },
  'src/pages/a/APage.tsx': { file: 'assets/a.js', imports: ['_shared.js', '_chart.js'] },
  'src/pages/b/BPage.tsx': { file: 'assets/b.js', imports: ['_shared.js'] },
}
const sizes = new Map([
  ['assets/index.js', kilobytes(100)],
  ['assets/index.css', kilobytes(10)],
  ['assets/shared.js', kilobytes(50)],
  ['assets/chart.js', kilobytes(40)],
  ['assets/a.js', kilobytes(15)],
  ['assets/b.js', kilobytes(5)],
  ['assets/inter.woff2', kilobytes(48)],
])

test('the size of a page counts only what it adds to the first load', (t) => {
  const figures = measureBuild(manifest, sizes)
  t.deepEqual(
    figures.map(({ name, bytes }) => [name, bytes / 1_024]),
    [
      ['first load, scripts', 150],
      ['first load, styles', 10],
      ['pages/a/APage.tsx', 55],
      ['pages/b/BPage.tsx', 5],
      ['fonts', 48],
      ['all scripts and styles', 220],
    ],
  )
  t.deepEqual(overBudget(figures), [])
})

test('a file over its budget is named', (t) => {
  const grown = new Map([...sizes, ['assets/shared.js', kilobytes(91)], ['assets/chart.js', kilobytes(46)]])
  t.deepEqual(
    overBudget(measureBuild(manifest, grown)).map(({ name }) => name),
    ['first load, scripts', 'pages/a/APage.tsx'],
  )
})
