import { Ajv, type ErrorObject, type FuncKeywordDefinition, type Options, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { LRUCache } from 'lru-cache'
import type { Static, TSchema } from 'typebox'
import { complaint } from '../api/errors.ts'
import { cleanLine, lineProblem } from '../naming/line.ts'

const OPTIONS: Options = {
  removeAdditional: false,
  useDefaults: true,
  allErrors: false,
  verbose: true,
  strict: false,
  logger: false,
  // TypeBox makes valid schemas, and the check against the meta-schema takes as long as compiling.
  meta: false,
  validateSchema: false,
  // V8 optimizes validators that run often; without Ajv's own optimization, compiling takes a third of the time.
  code: { optimize: false }
}

/** Cleans a line of text in place, before its length is checked. */
const LINE_KEYWORD: FuncKeywordDefinition = {
  keyword: 'x-line',
  type: 'string',
  schemaType: 'boolean',
  before: 'maxLength',
  modifying: true,
  errors: true,
  validate: cleanInPlace
}
function cleanInPlace(_: unknown, text: string, __?: unknown, at?: DataValidationCxt): boolean {
  const message = lineProblem(text)
  cleanInPlace.errors = message === undefined ? [] : [{ keyword: 'x-line', message, params: {} }]
  if (message !== undefined) return false
  const { parentData, parentDataProperty } = at ?? {}
  // A text that is validated alone has no parent.
  if (parentData && parentDataProperty !== undefined) parentData[parentDataProperty] = cleanLine(text)
  return true
}
cleanInPlace.errors = [] as Array<Partial<ErrorObject>>

/** An Ajv with the options that all schemas share, and `options`. */
export function makeAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...OPTIONS, ...options })
  // Node exposes the CommonJS default export as the module itself.
  ;(addFormats as unknown as typeof addFormats.default)(ajv, ['date', 'uri', 'email'])
  ajv.addFormat('date-time', isTime)
  ajv.addKeyword(LINE_KEYWORD)
  return ajv
}

const TIME = /^(\d{4}-\d\d-\d\d)[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)$/i
/**
 * True if a text is a time of RFC 3339, on an existing day. Its year in UTC has four digits: RFC 3339 cannot represent
 * others.
 */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1]
  const year = new Date(text).getUTCFullYear()
  if (day === undefined || !(year >= 1 && year <= 9999)) return false
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** Maximum compiled schemas: more than all routes, tools and settings have. */
const MAX_COMPILED = 5_000

/** Schemas that are equal are compiled once in a process: many routes and tools, and servers of a test, share them. */
function compileOnce<Compiled extends object>(compile: (schema: TSchema) => Compiled): (schema: TSchema) => Compiled {
  const compiled = new LRUCache<string, Compiled>({
    max: MAX_COMPILED,
    memoMethod: text => compile(JSON.parse(text))
  })
  return schema => compiled.memo(JSON.stringify(schema))
}
const makeCompile = (options: Options) => {
  const ajv = makeAjv(options)
  return compileOnce(schema => ajv.compile(schema))
}
const compileExact = makeCompile({ coerceTypes: false })
const compileCoercing = makeCompile({ coerceTypes: 'array' })
const compileSettings = makeCompile({ allErrors: true, coerceTypes: false })
const compileGuard = makeCompile({ coerceTypes: false, useDefaults: false })
const compileSerializer = compileOnce(schema => fastJsonStringify(schema as Parameters<typeof fastJsonStringify>[0]))

/**
 * Unknown fields and wrong types in bodies are refused, never dropped or converted. Query strings are text: numbers,
 * booleans and single items of lists are converted.
 */
export function validatorOf(schema: TSchema, httpPart: string | undefined) {
  const isText = httpPart === 'querystring' || httpPart === 'params' || httpPart === 'headers'
  const compile = isText ? compileCoercing : compileExact
  // Compiled on first use, so that a start does not wait for it.
  let validate: ValidateFunction | undefined
  const knownFields = Object.keys((schema as { properties?: object }).properties ?? {})
  return (data: unknown) => {
    validate ??= compile(schema)
    if (validate(data)) return { value: data }
    const errors = validate.errors ?? []
    // Fastify makes one error of these; with the fields its message can say the expected value.
    const error = Object.assign(new Error(errors[0]?.message ?? 'is not valid'), {
      validation: errors,
      validationContext: httpPart,
      statusCode: 400,
      ...(isTopLevel(errors[0]) && { knownFields })
    })
    return { error }
  }
}
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => validatorOf(schema, httpPart)

/** Serialisers are compiled on first use, too. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let serialize: ReturnType<typeof fastJsonStringify> | undefined
  return data => (serialize ??= compileSerializer(schema))(data)
}

const isTopLevel = (error: ErrorObject | undefined) =>
  error?.keyword === 'additionalProperties' && error.instancePath === ''

/** Sets defaults in `value` and returns its errors, each as `prefix.path message`. */
export function problemsOf(schema: TSchema, value: unknown, prefix: string): string[] {
  const validate = compileSettings(schema)
  if (validate(value)) return []
  const errors = validate.errors ?? []
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf')
  // The errors of a union's members add nothing to the union's.
  const isWithinUnion = ({ schemaPath }: ErrorObject) =>
    unions.some(union => schemaPath.startsWith(`${union.schemaPath}/`))
  return errors
    .filter(error => !isWithinUnion(error))
    .map(error => {
      const { instancePath, keyword, params, message } = error
      const path = [prefix, ...instancePath.split('/').slice(1)].filter(Boolean).join('.')
      if (keyword === 'additionalProperties') {
        return `${[path, String(params['additionalProperty'])].filter(Boolean).join('.')} is not a setting`
      }
      return `${path} ${keyword === 'required' ? message : complaint(error)}`
    })
}

/** A type guard; the schema is compiled on first use. */
export function guardOf<S extends TSchema>(schema: S): (value: unknown) => value is Static<S> {
  let validate: ValidateFunction | undefined
  return (value): value is Static<S> => (validate ??= compileGuard(schema))(value)
}

/**
 * The path of the first text in `value` that PostgreSQL cannot store (NUL) or that is no Unicode text (a lone
 * surrogate); undefined: none.
 */
export const unstorableText = (value: unknown): string | undefined =>
  pathOfText(value, text => text.includes('\0') || !text.isWellFormed())

/**
 * The path of the first text or key in `value` with a property; undefined: none. Iterative, because callers decide the
 * depth of nesting.
 */
export function pathOfText(value: unknown, isWanted: (text: string) => boolean): string | undefined {
  const stack: Array<{ at: string; value: unknown }> = [{ at: '', value }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { at, value } = next
    if (typeof value === 'string') {
      if (isWanted(value)) return at
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const path = at === '' ? key : at.length > 200 ? at : `${at}.${key}`
        if (isWanted(key)) return at
        stack.push({ at: path, value: inner })
      }
    }
  }
  return undefined
}
