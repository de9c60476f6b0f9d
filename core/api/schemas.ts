import { Type, type TObject, type TOptional, type TProperties, type TSchema, type TString } from 'typebox'

/** A closed object: unknown fields are refused in bodies, and removed from answers. */
export const Closed = <P extends TProperties>(properties: P, options = {}): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, ...options })
export const Nullable = <T extends TSchema>(schema: T, options = {}) => Type.Union([schema, Type.Null()], options)

/**
 * A field with a secret that is shown once. Stored answers (see idempotency/) have null instead.
 * @param replacement a sentence: how to get another secret
 */
export const secretShownOnce = <N extends string>(name: N, description: string, replacement: string) => {
  const secret = Nullable(Type.String(), { description, 'x-shown-once': replacement })
  return {
    [name]: secret,
    message: Type.Optional(Type.String({ description: `In a replay, where \`${name}\` is null: how to get another.` }))
  } as Record<N, typeof secret> & { message: TOptional<TString> }
}

export const IdText = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  maxLength: 36,
  description: 'A UUID.'
})
export const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.' })
export const Day = Type.String({ format: 'date', description: '`YYYY-MM-DD`.' })
/**
 * One line of text for people. `x-line` makes the server clean it before it is measured (`core/naming/line.ts`).
 * @param maxLength characters
 */
export const Line = (maxLength: number, options = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    'x-line': true,
    description: 'One line of text, not empty; stored trimmed, in NFC, without invisible characters.',
    ...options
  })
export const Color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '`#rrggbb`.' })
/** A UUID, or a human-readable name (a key, a team's identifier). */
export const Ref = (description: string) => Type.String({ minLength: 1, maxLength: 64, description })

type JsonOf<V> = V extends Date ? string : Exclude<V, null | undefined>
type Answer<R> = { [K in keyof R as R[K] extends {} ? K : never]: JsonOf<R[K]> } & {
  [K in keyof R as R[K] extends {} ? never : K]?: JsonOf<R[K]>
}
export const jsonOfRow = <R extends object>(row: R): Answer<R> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      value === null ? [] : [[name, value instanceof Date ? value.toISOString() : value]]
    )
  ) as Answer<R>

/** Fields that may be left out, such as most of a body that creates a resource. */
export const optional = <F extends TProperties>(fields: F) => Type.Partial(Type.Object(fields)).properties

/**
 * For a body that changes a resource.
 * @param resource as its routes answer it
 * @param fields as they are written
 */
export const changesOf = <R extends TProperties, F extends TProperties & Record<Exclude<keyof F, keyof R>, never>>(
  resource: TObject<R>,
  fields: F
) => ({
  ...optional(fields),
  previous: previously(resource, Object.keys(fields))
})

/** The values that the client has read: `assertUnchanged` refuses the change when one of them has changed since. */
export const previously = <P extends TProperties, K extends keyof P & string>(resource: TObject<P>, fields: K[]) =>
  Type.Optional(
    Type.Partial(Type.Pick(resource, fields), {
      additionalProperties: false,
      description: 'Values as you read them: the change is refused (412) when one of them is another by now.'
    })
  )

export const Deleted = Closed({ id: IdText, deleted: Type.Literal(true) })
export const Problem = Type.Object(
  {
    statusCode: Type.Integer(),
    error: Type.String(),
    code: Type.String({ description: 'A stable machine word.' }),
    message: Type.String({ description: 'The problem, and how to correct it.' })
  },
  { additionalProperties: true, description: 'Every error has this shape.' }
)

export const answers = <C extends 200 | 201 | 202, S extends TSchema>(code: C, schema: S) =>
  ({ [code]: schema, '4xx': Problem, '5xx': Problem }) as Record<C, S>
