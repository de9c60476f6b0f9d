export { idInChange, updatedEvents } from '../events/changes.ts'
export { eventType, type EventType, type Handled, type LoggedEvent, type LoggedEventOf } from '../events/contract.ts'
export { ChangesData, NoData } from '../events/schemas.ts'
