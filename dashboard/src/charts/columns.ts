// Merges bars that are too narrow to draw apart: all bars in one column of pixels are drawn as one, as high as the highest of them.

/** A filled column of pixels, from `top` down to `bottom`. */
export type Column = { readonly left: number; readonly top: number; readonly bottom: number }

/**
 * Returns the columns, each `width` wide, that the bars from `zeroY` to `ys` cover. `xs` are in ascending order; a bar whose `y` is null is
 * not drawn. All values are in pixels of the canvas. The number of columns is limited by the width of the plot, not by the number of bars.
 */
export function mergeBars(
  xs: readonly number[],
  ys: readonly (number | null)[],
  zeroY: number,
  width: number,
): Column[] {
  const columns: Column[] = []
  let left = Number.NaN
  let [top, bottom] = [zeroY, zeroY]
  const close = (): void => {
    if (top < bottom) columns.push({ left, top, bottom })
    ;[top, bottom] = [zeroY, zeroY]
  }
  for (const [at, y] of ys.entries()) {
    if (y === null) continue
    const column = Math.floor((xs[at] ?? 0) / width) * width
    if (column !== left) close()
    left = column
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  close()
  return columns
}
