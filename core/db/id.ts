import { v7 } from 'uuid'
import type { Id } from '../api/database/types.ts'

/** A new UUIDv7: ids sort by time of creation. */
export const newId = (): Id => v7()
