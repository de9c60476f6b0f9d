/** The seed of random texts and requests: the same one repeats a run. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
