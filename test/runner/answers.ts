import type { ValidateFunction } from 'ajv'
import { makeAjv } from '../../core/http/validation.ts'

/** The part of an OpenAPI document that describes answers. */
export interface AnswersDocument {
  paths: Record<string, Record<string, Operation>>
}
interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

/** Maximum problems reported for one answer. */
const MAX_PROBLEMS = 5

/**
 * Checks JSON answers against an OpenAPI document; each schema is compiled on first use.
 * @returns a function that returns the first difference; undefined without one, and for undocumented answers: other
 * types than JSON, routes without any schema, and repeated answers
 */
export function makeAnswerCheck({ paths }: AnswersDocument) {
  const findPath = pathFinder(paths)
  const ajv = makeAjv({ allErrors: true, coerceTypes: false, useDefaults: false })
  const validators = new Map<object, ValidateFunction>()

  return (method: string, url: string, { statusCode, headers, body }: Answer): string | undefined => {
    // A repeated answer may have only its ids; the first one was checked.
    if (headers['idempotency-replayed'] !== undefined) return undefined
    if (body === '' || !String(headers['content-type']).startsWith('application/json')) return undefined
    const responses = paths[findPath(url) ?? '']?.[method.toLowerCase()]?.responses
    if (responses === undefined || Object.values(responses).every(({ content }) => content === undefined)) {
      return undefined
    }
    const response = responses[statusCode] ?? responses[`${String(statusCode)[0]}XX`]
    const schema = response?.content?.['application/json']?.schema
    if (schema === undefined) return `the document has no JSON answer with the status ${statusCode}`
    let validate = validators.get(schema)
    if (validate === undefined) validators.set(schema, (validate = ajv.compile(schema)))
    if (validate(JSON.parse(body))) return undefined
    return (validate.errors ?? [])
      .slice(0, MAX_PROBLEMS)
      .map(
        ({ instancePath, message, params }) => `${instancePath || 'the answer'} ${message} ${JSON.stringify(params)}`
      )
      .join('; ')
  }
}

/** @returns a function that returns the documented path of a URL, such as `/v1/issues/{issueId}` */
export function pathFinder(paths: object): (url: string) => string | undefined {
  const templates = Object.keys(paths).map(path => path.split('/'))
  return url => {
    const parts = url.split('?')[0]!.split('/')
    return templates
      .filter(template => template.length === parts.length && template.every((part, n) => fits(part, parts[n]!)))
      .sort((a, b) => countParameters(a) - countParameters(b))[0]
      ?.join('/')
  }
}

const isParameter = (part: string) => part.startsWith('{')
const fits = (part: string, sent: string) => (isParameter(part) ? sent !== '' : part === sent)
const countParameters = (template: string[]) => template.filter(isParameter).length
