/**
 * A function of a text that keeps its results; when there are `maxEntries` of them, all are forgotten. (That costs less
 * than to keep the order of use, which a cache of small, quickly made results is not worth.)
 */
export function memoize<T>(compute: (text: string) => T, maxEntries = 50_000): (text: string) => T {
  const results = new Map<string, T>()
  return text => {
    let result = results.get(text)
    if (result === undefined) {
      if (results.size >= maxEntries) results.clear()
      results.set(text, (result = compute(text)))
    }
    return result
  }
}
