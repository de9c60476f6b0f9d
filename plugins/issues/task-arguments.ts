import { Type } from 'typebox'

/*
 * Arguments that the tools of several plugins have.
 */

/** The argument that names an issue. */
export const Task = Type.String({ description: 'Key or id.' })

/** The argument that names the agent's session; it goes with each request of the call. */
export const Session = Type.Optional(Type.String({ description: 'Your session.' }))

/** The argument that ticks criteria. REST says what is wrong with evidence. */
export const Met = Type.Optional(
  Type.Array(Type.Union([Type.Integer(), Type.String(), Type.Object({})]), {
    description: 'To tick: numbers, texts or {criterion, evidence}.'
  })
)
