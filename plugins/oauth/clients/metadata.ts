import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { forceLine } from '../../../core/api/text.ts'
import { isRedirect, MAX_REDIRECT_LENGTH } from './redirects.ts'

const MAX_REDIRECTS = 20
const MAX_NAME_LENGTH = 100

/** The fields of a client's metadata that count here. @see https://www.rfc-editor.org/rfc/rfc7591#section-2 */
const MetadataJson = Type.Object({
  client_id: Type.Optional(Type.String()),
  client_name: Type.Optional(Type.String()),
  redirect_uris: Type.Array(Type.String({ maxLength: MAX_REDIRECT_LENGTH }), {
    minItems: 1,
    maxItems: MAX_REDIRECTS
  }),
  grant_types: Type.Optional(Type.Array(Type.String())),
  application_type: Type.Optional(Type.String({ maxLength: 20 }))
})
export type ClientMetadata = Static<typeof MetadataJson>

/** @returns undefined for what is no client's metadata */
export const readMetadata = (json: unknown): ClientMetadata | undefined =>
  Check(MetadataJson, json) ? json : undefined

export const usesCodes = ({ grant_types: types }: ClientMetadata): boolean =>
  types === undefined || types.includes('authorization_code')

/** The name that a client gives itself, or the host to which it redirects. */
export function nameOf({ client_name: name = '', redirect_uris: uris }: ClientMetadata): string {
  const line = forceLine(name).slice(0, MAX_NAME_LENGTH).toWellFormed()
  const uri = uris.find(isRedirect)
  return line || (uri === undefined ? 'A client' : new URL(uri).host)
}
