import type { FastifyRequest } from 'fastify'
import type { App } from '../../../core/api/plugin.ts'
import { invalidRequest } from './errors.ts'

export function acceptForms(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body)))
  )
  app.addContentTypeParser('*', (_request, _body, done) =>
    done(invalidRequest('Send the parameters as application/x-www-form-urlencoded.'))
  )
}

/** The parameters of a form or a query; empty ones count as absent. @throws the error of a repeated one */
export function parameters(form: URLSearchParams, refuse: (message: string) => Error = invalidRequest) {
  const values = new Map<string, string>()
  for (const [name, value] of form) {
    if (values.has(name)) throw refuse(`The parameter ${name.slice(0, 80)} must not be repeated.`)
    values.set(name, value)
  }
  const optional = (name: string): string | undefined => values.get(name) || undefined
  return {
    optional,
    required(name: string): string {
      const value = optional(name)
      if (value === undefined) throw refuse(`The parameter ${name} is missing.`)
      return value
    }
  }
}
export type Parameters = ReturnType<typeof parameters>

export const formOf = ({ body }: FastifyRequest): Parameters =>
  parameters(body instanceof URLSearchParams ? body : new URLSearchParams())
