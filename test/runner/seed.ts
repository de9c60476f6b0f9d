/** Of random texts and requests: a seed repeats a run. */
export const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
