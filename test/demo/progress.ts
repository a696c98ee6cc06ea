// Shows the progress of the demo: one line that is updated on a terminal, a line for each quarter elsewhere.

export type Progress = { at(done: number): void; end(): void }

const barWidth = 30

export function showProgress(label: string, total: number, out: NodeJS.WriteStream = process.stdout): Progress {
  let quarter = 0
  return {
    at(done) {
      const share = total === 0 ? 1 : done / total
      if (out.isTTY) {
        const filled = Math.round(share * barWidth)
        const bar = '█'.repeat(filled) + '·'.repeat(barWidth - filled)
        out.write(`\r${label} ${bar} ${Math.round(share * 100)} %`)
      } else if (Math.floor(share * 4) > quarter) {
        quarter = Math.floor(share * 4)
        out.write(`${label} ${Math.round(share * 100)} %\n`)
      }
    },
    end() {
      if (out.isTTY) out.write('\n')
    },
  }
}
