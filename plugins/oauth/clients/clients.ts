import { isId } from '../../../core/api/database/queries.ts'
import { invalid } from '../../../core/api/errors.ts'
import type { Ctx } from '../context.ts'
import { findClient } from '../queries/clients.ts'
import { clientDocuments, isDocumentAddress } from './documents.ts'

export interface Client {
  id: string
  name: string
  redirectUris: readonly string[]
  /** The host that vouches for the name; undefined: the client has named itself. */
  provenBy?: string
}

/** @throws 400 when it is unknown */
export async function clientOf(ctx: Ctx, clientId: string): Promise<Client> {
  if (isDocumentAddress(clientId) && ctx.settings.clientMetadataDocuments) {
    const document = await ctx.get(clientDocuments).get(clientId)
    return { id: clientId, ...document, provenBy: new URL(clientId).host }
  }
  const client = isId(clientId) ? await findClient(ctx.db, clientId.toLowerCase(), ctx.now()) : undefined
  if (client) return client
  throw invalid(
    'This client is unknown here, or its registration has expired: remove the server from the client, and add it again.'
  )
}

/** True for the id of a client that may still exist. Documents are read again at the next authorization only. */
export async function isKnownClient({ db, now, settings }: Ctx, clientId: string): Promise<boolean> {
  if (isId(clientId)) return (await findClient(db, clientId.toLowerCase(), now())) !== undefined
  return isDocumentAddress(clientId) && settings.clientMetadataDocuments
}
