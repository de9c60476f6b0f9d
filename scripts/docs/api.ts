import { exampleOf } from './example.ts'
import { code, describe, fieldsOf, tableOf, typeOf } from './fields.ts'
import { escapeHtml, makeScrollable, renderInline, renderShort, type Section } from './markdown.ts'
import type { OpenApi, Operation, Schema } from './openapi.ts'

export interface ApiPage {
  title: string
  /** From the root of the site. */
  address: string
  html: string
  sections: Section[]
}
interface Route extends Operation {
  method: string
  path: string
  id: string
  title: string
}

const JSON_TYPE = 'application/json'
const WHERE: Record<string, string> = { path: 'Path', query: 'Query', header: 'Header' }
const ERROR = { status: 404, error: 'Not Found', code: 'NOT_FOUND', message: 'There is no issue ENG-12.' }

/** Pages of the reference: an index, and one for each tag, of the document that the server answers. */
export function apiPages({ paths, components }: OpenApi): ApiPage[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => routeOf(path, method.toUpperCase(), operation))
  )
  const byTag = Map.groupBy(routes, ({ tags }) => tags?.[0] ?? 'other')
  const pages = [...byTag].map(([tag, routes]) => pageOf(tag, routes))
  return [indexOf(byTag, components.schemas.ErrorCode.enum), ...pages]
}

const addressOf = (tag: string): string => `api/${tag.replaceAll(' ', '-')}.html`
const titleOf = (tag: string): string => tag[0]!.toUpperCase() + tag.slice(1)

function routeOf(path: string, method: string, operation: Operation): Route {
  const id = `${method}-${path}`
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replace(/-$/, '')
  return { ...operation, path, method, id, title: operation.summary ?? `${method} ${path}` }
}

function indexOf(byTag: ReadonlyMap<string, Route[]>, errorCodes: readonly string[]): ApiPage {
  const rows = [...byTag].map(([tag, routes]) => [
    `<a href="${addressOf(tag).slice('api/'.length)}">${escapeHtml(titleOf(tag))}</a>`,
    String(routes.length),
    routes.map(({ title }) => renderInline(title)).join('; ')
  ])
  const html = [
    '<h1>REST API reference</h1>',
    '<p>All requests of a server on which all plugins are on, made of the document that it answers at ' +
      '<code>/openapi.json</code>. How tokens, pages and idempotency work: <a href="../api.html">REST API</a>. ' +
      'At <code>/docs</code> a server has its own reference, in which requests can be tried. ' +
      'Examples are made from the schemas.</p>',
    tableOf(['Page', 'Requests', 'What they do'], rows),
    '<h2 id="errors">Errors</h2>',
    '<p>An answer of 400 and above is JSON with a sentence for people and a code for programs:</p>',
    jsonOf(ERROR),
    `<p>The codes: ${errorCodes.map(code).join(', ')}.</p>`
  ].join('\n')
  const sections = [
    { id: '', text: 'REST API reference', level: 1, content: 'OpenAPI requests' },
    { id: 'errors', text: 'Errors', level: 2, content: errorCodes.join(' ') }
  ]
  return { title: 'All requests', address: 'api/index.html', html: makeScrollable(html), sections }
}

function pageOf(tag: string, routes: readonly Route[]): ApiPage {
  /** Where a value of many fields was described on the page. */
  const described = new Map<string, Route>()
  const list = tableOf(
    ['Request', 'What it does'],
    routes.map(({ id, method, path, title }) => [
      `<a href="#${id}">${code(`${method} ${path}`)}</a>`,
      renderInline(title)
    ])
  )
  const html = [`<h1>${escapeHtml(titleOf(tag))}</h1>`, list, ...routes.map(route => routeHtml(route, described))].join(
    '\n'
  )
  const sections = routes.map(({ id, method, path, title, description = '' }) => ({
    id,
    text: title,
    level: 2,
    content: `${method} ${path}\n${description}`
  }))
  return { title: titleOf(tag), address: addressOf(tag), html: makeScrollable(html), sections }
}

function routeHtml(route: Route, described: Map<string, Route>): string {
  const { id, method, path, title, description = '', parameters = [], requestBody } = route
  return [
    `<h2 id="${id}">${renderInline(title)}</h2>`,
    `<p class="request"><b>${method}</b> ${code(path)}</p>`,
    renderShort(description),
    parametersHtml(parameters),
    ...Object.entries(requestBody?.content ?? {}).map(
      ([type, { schema = {} }]) =>
        `<h3>Body <small>${escapeHtml(type)}</small></h3>\n${valueHtml(type, schema, route, described)}`
    ),
    ...answersHtml(route, described)
  ].join('\n')
}

function parametersHtml(parameters: NonNullable<Operation['parameters']>): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, in: place, required, description, schema = {} }) => [
    code(name) + (required && schema.default === undefined ? '' : ' <small>optional</small>'),
    WHERE[place] ?? place,
    renderInline(typeOf(schema)),
    describe(schema, description)
  ])
  return `<h3>Parameters</h3>\n${tableOf(['Name', 'Where', 'Type', 'Description'], rows)}`
}

function answersHtml(route: Route, described: Map<string, Route>): string[] {
  const answers = Object.entries(route.responses).filter(([status]) => /^[123]/.test(status))
  const html = answers.flatMap(([status, { description = '', content = {} }]) => {
    const said = description === 'Default Response' ? '' : ` ${description}`
    const values = Object.entries(content)
    if (values.length === 0) return [`<h3>Answer ${status}${escapeHtml(said)}</h3>`]
    return values.map(([type, { schema = {} }]) => {
      const heading = `<h3>Answer ${status}${escapeHtml(said)} <small>${escapeHtml(type)}</small></h3>`
      return `${heading}\n${valueHtml(type, schema, route, described)}`
    })
  })
  const hasErrors = Object.keys(route.responses).some(status => /^[45]/.test(status))
  return hasErrors ? [...html, '<p>Errors: <a href="index.html#errors">JSON with a code</a>.</p>'] : html
}

/** Fields and an example of a value; what the page has described already is a link to it. */
function valueHtml(type: string, schema: Schema, route: Route, described: Map<string, Route>): string {
  const forms = schema.anyOf ?? schema.oneOf ?? [schema]
  return forms
    .map((form, n) => {
      const fields = fieldsOf(form)
      const before = described.get(fields)
      if (before) return `<p>As for <a href="#${before.id}">${code(`${before.method} ${before.path}`)}</a>.</p>`
      if (fields !== '') described.set(fields, route)
      const example = type === JSON_TYPE ? jsonOf(exampleOf(form)) : ''
      const list = fields && `<details><summary>Fields</summary>\n${fields}</details>\n`
      return (n === 0 ? '' : '<p>Or:</p>\n') + example + list
    })
    .join('\n')
}

const jsonOf = (value: unknown): string => `<pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>\n`
