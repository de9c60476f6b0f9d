import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import { ApiError, invalid } from '../../../core/api/errors.ts'
import { makeAgent } from '../../../core/api/http.ts'
import { singleton } from '../../../core/api/plugin.ts'
import type { Ctx } from '../context.ts'
import { tooManyClients } from '../contract.ts'
import { nameOf, readMetadata } from './metadata.ts'
import { isRedirect } from './redirects.ts'

const MAX_BYTES = 5 * 1024
const TIMEOUT_MS = 3_000
const CACHE_MS = 600_000
const FAILURE_CACHE_MS = 30_000
const MAX_CACHED = 500
/** Documents fetched at once; further requests are refused. */
const MAX_FETCHES = 8
const SETTING = 'plugins.oauth.allowPrivateAddresses'

interface DocumentFetcher {
  /** @returns the text of a JSON document. @throws Error whose message is a sentence */
  fetch(url: string): Promise<string>
}
export const documentFetcher = singleton(
  'documentFetcher',
  ({ settings }: Ctx): DocumentFetcher & { close(): Promise<void> } => {
    let agent: ReturnType<typeof makeAgent> | undefined
    return {
      fetch: async url => fetchDocument(await (agent ??= makeAgent(settings.allowPrivateAddresses, SETTING)), url),
      close: async () => (await agent)?.close()
    }
  },
  fetcher => fetcher.close()
)

/** Without following redirects. @throws Error */
export async function fetchDocument(dispatcher: Dispatcher, url: string): Promise<string> {
  const { request } = await import('undici')
  const answer = await request(url, {
    dispatcher,
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  // An answer that is not read to its end ends with an error, which nobody awaits.
  answer.body.on('error', () => {})
  const type = String(answer.headers['content-type'] ?? '')
  try {
    if (answer.statusCode !== 200) throw new Error(`The address answered ${answer.statusCode}, instead of a document.`)
    if (!/^application\/([\w.-]+\+)?json\b/i.test(type)) {
      throw new Error('The address answered something else than JSON.')
    }
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer.body) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes > MAX_BYTES) throw new Error(`The document is larger than ${MAX_BYTES / 1024} KiB.`)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    answer.body.destroy()
  }
}

interface ClientDocument {
  name: string
  redirectUris: string[]
}

/** True if a client's id is an address at which a document may be. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return false
  const { href, pathname, hash, username, password } = new URL(clientId)
  // Compared as a text: an address with another form would name another client.
  return href === clientId && pathname !== '/' && hash === '' && username === '' && password === ''
}

/**
 * Client id metadata documents, for some minutes from a cache.
 * @see https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export const clientDocuments = singleton('clientDocuments', (ctx: Ctx) => {
  const cached = new LRUCache<string, Promise<ClientDocument>>({ max: MAX_CACHED, ttl: CACHE_MS })
  let fetches = 0
  async function load(address: string): Promise<ClientDocument> {
    if (fetches >= MAX_FETCHES) throw tooManyClients('Too many clients connect at once: try again in a few seconds.')
    fetches++
    try {
      return readDocument(address, await ctx.get(documentFetcher).fetch(address))
    } catch (error) {
      const reason = error instanceof Error && error.message !== '' ? error.message : 'It cannot be reached.'
      throw invalid(`The client's document at ${address} cannot be read: ${reason}`)
    } finally {
      fetches--
    }
  }
  return {
    /** @throws 400 */
    get(address: string): Promise<ClientDocument> {
      const known = cached.get(address)
      if (known !== undefined) return known
      const loading = load(address)
      cached.set(address, loading)
      loading.catch((error: unknown) => {
        const isBusy = error instanceof ApiError && error.statusCode === 429
        if (isBusy) cached.delete(address)
        else cached.set(address, loading, { ttl: FAILURE_CACHE_MS })
      })
      return loading
    }
  }
})

function readDocument(address: string, text: string): ClientDocument {
  const metadata = readMetadata(parse(text))
  if (metadata === undefined) throw new Error("It is no client's metadata: `redirect_uris` are missing.")
  if (metadata.client_id !== address) throw new Error('Its `client_id` is not the address itself.')
  const redirectUris = metadata.redirect_uris.filter(isRedirect)
  return { name: nameOf(metadata), redirectUris }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
