/** Intervals between stored times that give the present rate of creation. */
const RECENT_INTERVALS = 16

/** The approximate times of creation of a workspace's issues. */
export class Timeline {
  readonly #times: readonly number[]
  readonly #issues: number
  readonly #issuesNow: number

  /**
   * @param times in milliseconds, of evenly spaced issues in the order of creation, including the first and the last
   * @param issues their number, when these times were stored
   * @param issuesNow their present number
   */
  constructor(times: readonly number[], issues: number, issuesNow: number) {
    this.#times = times
    this.#issues = issues
    this.#issuesNow = Math.max(issues, issuesNow)
  }

  /** The number of earlier issues, interpolated; after the last stored time, extrapolated. */
  positionAt(moment: Date): number {
    const at = moment.getTime()
    const times = this.#times
    const last = times.at(-1)
    if (last === undefined || at <= times[0]!) return 0
    const intervals = times.length - 1
    if (at > last) {
      const lately = Math.min(RECENT_INTERVALS, intervals)
      const recent = Math.max(1, last - times[intervals - lately]!)
      const since = ((at - last) / recent) * (lately / Math.max(1, intervals)) * this.#issues
      return Math.min(this.#issuesNow, this.#issues + since)
    }
    // Binary search for the first time that is not earlier.
    let [low, high] = [0, intervals]
    while (low < high) {
      const middle = (low + high) >> 1
      if (times[middle]! < at) low = middle + 1
      else high = middle
    }
    const [before, after] = [times[low - 1]!, times[low]!]
    return ((low - 1 + (at - before) / (after - before)) / intervals) * this.#issues
  }
}
