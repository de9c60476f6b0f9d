/** More make a text hardly faster. */
const MAX_THREADS = 4

/** The threads of a model on a machine of that many cores: half, to leave the others to requests. */
export const threadsOn = (cores: number): number => Math.max(1, Math.min(MAX_THREADS, Math.floor(cores / 2)))
