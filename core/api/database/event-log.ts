export type { Horizon } from '../../events/horizon.ts'
export { lastPosition, loggedEvent, PARTITION, readLog, selectEvents, type Range } from '../../events/read.ts'
