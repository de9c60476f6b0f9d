/** Runs background work as a trace of its own. @param name of few values, such as `job webhooks` */
export type Trace = <T>(name: string, work: () => Promise<T>) => Promise<T>
