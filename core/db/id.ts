import { v7 } from 'uuid'
import type { Id } from '../api/database/types.ts'

/** Comes before every id, and nothing has it. */
export const NIL_ID: Id = '00000000-0000-0000-0000-000000000000'

/** A UUIDv7: ids sort by time of creation. */
export const newId = (): Id => v7()
