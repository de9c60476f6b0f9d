/** Intervals between kept times that tell how often issues are filed now. */
const RECENT_INTERVALS = 16

/** When the issues of a workspace were filed, roughly: how many were filed before a moment. */
export class Timeline {
  readonly #times: readonly number[]
  readonly #issues: number
  readonly #issuesNow: number

  /**
   * @param times in milliseconds, of issues at even distances in the order of their creation, the first and the last
   * among them
   * @param issues how many there were, when these times were kept
   * @param issuesNow how many there are now
   */
  constructor(times: readonly number[], issues: number, issuesNow: number) {
    this.#times = times
    this.#issues = issues
    this.#issuesNow = Math.max(issues, issuesNow)
  }

  /** How many issues were filed before, interpolated; after the last time that is kept, as often as lately. */
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
    // The first time that is not before it.
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
