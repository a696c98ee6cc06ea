// Floor 3. How the evidence of the shown rung grew, for a chart: a bounded number of points, thinned evenly.

export type Point = {
  readonly atUs: number
  readonly trials: number
  readonly matches: number
  readonly evidence: number
  readonly wrongShareUpper: number
}

const maxPoints = 500

export class Growth {
  /** The rung that is shown, by its freshness. */
  freshnessS = 0
  points: Point[] = []
  /** Of so many blocks one is kept. */
  stride = 1
  private readonly most: number

  constructor(most = maxPoints) {
    this.most = most
  }

  /** After a block has been closed. */
  note(freshnessS: number, blocks: number, measure: () => Point): void {
    if (freshnessS !== this.freshnessS) {
      this.freshnessS = freshnessS
      this.points = []
      this.stride = 1
    }
    if (blocks % this.stride !== 0) return
    this.points.push(measure())
    if (this.points.length < this.most) return
    this.points = this.points.filter((_, nth) => nth % 2 === 1)
    this.stride *= 2
  }
}
