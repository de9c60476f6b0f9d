import { buildWithAllPlugins } from '../all-plugins.ts'

/** The keywords of JSON Schema that are used here. */
export interface Schema {
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
}
type Content = Record<string, { schema?: Schema }>
export interface Operation {
  summary?: string
  description?: string
  tags?: string[]
  parameters?: Array<{ name: string; in: string; required?: boolean; description?: string; schema?: Schema }>
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { description?: string; content?: Content }>
}
export interface OpenApi {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: { ErrorCode: { enum: string[] } } }
}

/** The document at /openapi.json of a server on which all plugins are. */
export async function readOpenApi(): Promise<OpenApi> {
  const server = await buildWithAllPlugins()
  try {
    return server.app.swagger() as unknown as OpenApi
  } finally {
    await server.close()
  }
}
