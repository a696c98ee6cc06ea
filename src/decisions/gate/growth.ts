// The growth of the evidence of a rung, for a chart: a bounded number of points, thinned evenly.

export type GrowthPoint = {
  readonly atUs: number
  readonly trials: number
  readonly matches: number
  readonly evidence: number
  readonly wrongShareUpper: number
}

const maxPoints = 250

export class Growth {
  points: GrowthPoint[] = []
  /** One point is kept for this number of blocks. */
  stride = 1

  /** Called after blocks have been closed: there are `blocks` now, and there were `before`. */
  note(blocks: number, measure: () => GrowthPoint, before = blocks - 1): void {
    if (Math.floor(blocks / this.stride) > Math.floor(before / this.stride)) this.keep(measure())
  }

  /** Records that the evidence restarts. Earlier points stay, since the chart of a failed rule has to show them. */
  restart(atUs: number): void {
    if (this.points.length > 0) this.keep({ atUs, trials: 0, matches: 0, evidence: 1, wrongShareUpper: 1 })
  }

  private keep(point: GrowthPoint): void {
    this.points.push(point)
    if (this.points.length < maxPoints) return
    this.points = this.points.filter((_, nth) => nth % 2 === 1)
    this.stride *= 2
  }
}
