import { availableParallelism } from 'node:os'

const MAX_THREADS = 2
/** Collects garbage early: the default is sized for a process of its own. */
const MAX_YOUNG_GENERATION_MB = 8

/** @returns the results, in the order of the inputs */
export async function* inThreads<I, O>(module: URL, name: string, inputs: AsyncIterable<I>): AsyncGenerator<O> {
  const { Piscina } = await import('piscina')
  const maxThreads = Math.min(MAX_THREADS, availableParallelism())
  const pool = new Piscina<I, O>({
    filename: module.href,
    name,
    minThreads: maxThreads,
    maxThreads,
    resourceLimits: { maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB }
  })
  const running: Array<Promise<O>> = []
  try {
    for await (const input of inputs) {
      const result = pool.run(input)
      // It is awaited in turn, perhaps after it fails.
      result.catch(() => {})
      running.push(result)
      // One input waits for each busy thread.
      if (running.length > maxThreads) yield await running.shift()!
    }
    for (const result of running) yield await result
  } finally {
    await pool.destroy()
  }
}
