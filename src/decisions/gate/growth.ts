// How the evidence of a rung grew, for a chart: a bounded number of points, thinned evenly.

export type Point = {
  readonly atUs: number
  readonly trials: number
  readonly matches: number
  readonly evidence: number
  readonly wrongShareUpper: number
}

const maxPoints = 250

export class Growth {
  points: Point[] = []
  /** Of so many blocks one is kept. */
  stride = 1

  /** After a block has been closed. */
  note(blocks: number, measure: () => Point): void {
    if (blocks % this.stride === 0) this.keep(measure())
  }

  /** The evidence begins anew. What it was before stays: it is what a chart of a rule that failed has to show. */
  restart(atUs: number): void {
    if (this.points.length > 0) this.keep({ atUs, trials: 0, matches: 0, evidence: 1, wrongShareUpper: 1 })
  }

  private keep(point: Point): void {
    this.points.push(point)
    if (this.points.length < maxPoints) return
    this.points = this.points.filter((_, nth) => nth % 2 === 1)
    this.stride *= 2
  }
}
