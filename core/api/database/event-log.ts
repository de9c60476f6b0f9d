export { settle, type Horizon } from '../../events/horizon.ts'
export {
  isVisible,
  lastPosition,
  matches,
  PARTITION,
  readLog,
  readVisible,
  removedTo,
  type EventFilter
} from '../../events/read.ts'
