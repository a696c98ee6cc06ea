// The logarithms of the gamma and beta functions.

const shift = 10
const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI)

/**
 * Returns ln Γ(x) for x > 0, with a relative error of about 1e-14: Stirling's series; an x below 10 is first raised by Γ(x + 1) = x Γ(x).
 */
export function logGamma(x: number): number {
  let product = 1
  let z = x
  while (z < shift) {
    product *= z
    z += 1
  }
  const inverse = 1 / z
  const square = inverse * inverse
  const series =
    inverse *
    (1 / 12 -
      square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360_360))))))
  return (z - 0.5) * Math.log(z) - z + halfLogTwoPi + series - Math.log(product)
}

/** Returns ln B(a, b) for a, b > 0. */
export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b)
