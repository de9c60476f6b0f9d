import { Type } from 'typebox'
import { Closed } from '../api/schemas.ts'

/** A changed field. For rich text only the name: the content is read from the subject. */
export const FieldChange = Closed({
  field: Type.String(),
  from: Type.Optional(Type.Unknown({ description: 'The former value; of a reference `{id, name}`; null: none.' })),
  to: Type.Optional(Type.Unknown({ description: 'The new value, likewise.' }))
})
export const ChangesData = Closed({ changes: Type.Array(FieldChange) })
/** For events whose type and subject are sufficient. */
export const NoData = Closed({})
