// Bars that are narrower than a pixel: those of one column of pixels are drawn as one, as high as the highest of them.

/** A filled column of pixels, from `top` down to `bottom`. */
export type Column = { readonly left: number; readonly top: number; readonly bottom: number }

/**
 * The columns that bars from `zeroY` to each of `ys` cover, each `width` wide. `xs` grow; a missing `y` is a bar that is not drawn. All
 * in pixels of the canvas. There are as many columns as the plot is wide, whatever the number of bars.
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
