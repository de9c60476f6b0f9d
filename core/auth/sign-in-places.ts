import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { sql, type Kysely } from 'kysely'
import type { SignedIn } from '../api/contract.ts'
import type { Cookies } from './cookies.ts'
import { removeRows } from '../db/statements/remove-rows.ts'
import type { CoreTables } from '../api/database/types.ts'

const COOKIE = 'tracker_device'
/** Browsers keep no cookie longer. */
const DEVICE_DAYS = 400
const NETWORK_DAYS = 30
const SECRET_BYTES = 32
const SECRET_FORM = /^[\w-]{43}$/
/** Maximum accounts per browser. */
const MAX_SECRETS = 5

/** The hash of a browser, an address or a network. */
interface Place {
  hash: Buffer
  days: number
}

const place = (kind: string, name: string, days: number): Place => ({
  hash: createHash('sha256').update(`${kind} ${name}`).digest(),
  days
})

/** The first bits of an address. An IPv4-mapped IPv6 address counts as IPv4. */
function prefixOf(address: string, bits: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return `${parsed.kind()} ${parsed
    .toByteArray()
    .slice(0, bits[parsed.kind()] / 8)
    .join('.')}`
}

/** The network of an address: an IPv4 /24 or an IPv6 /56, which usually belongs to one provider or customer. */
export const networkOf = (address: string): string => prefixOf(address, { ipv4: 24, ipv6: 56 })

/** The places from which accounts have signed in: limits on failed attempts there are separate from those of others. */
export interface SignInPlaces {
  /**
   * The nearest place of a request from which an account has signed in before: its browser, its address (the /64 of an
   * IPv6 address), or its network.
   */
  find(request: FastifyRequest, account: SignedIn): Promise<Buffer | undefined>
  /** Stores the places of a request from which an account signs in; its browser gets a secret in a cookie. */
  remember(request: FastifyRequest, reply: FastifyReply, account: SignedIn): Promise<void>
}

async function firstKnown(
  db: Kysely<CoreTables>,
  { workspaceId, accountId }: SignedIn,
  places: readonly Place[],
  at: Date
) {
  const rows = await db
    .selectFrom('signInPlace')
    .select('place')
    .where('workspaceId', '=', workspaceId)
    .where('accountId', '=', accountId)
    .where(
      'place',
      'in',
      places.map(({ hash }) => hash)
    )
    .where('expiresAt', '>', at)
    .execute()
  return places.find(({ hash }) => rows.some(row => hash.equals(row.place)))?.hash
}

export function makeSignInPlaces(db: Kysely<CoreTables>, cookies: Cookies, now: () => Date): SignInPlaces {
  const secretsOf = (request: FastifyRequest) =>
    (cookies.read(request, COOKIE) ?? '')
      .split('.')
      .filter(secret => SECRET_FORM.test(secret))
      .slice(0, MAX_SECRETS)
  const deviceOf = (secret: string) => place('device', secret, DEVICE_DAYS)
  const networksOf = ({ ip }: FastifyRequest) => [
    place('address', prefixOf(ip, { ipv4: 32, ipv6: 64 }), NETWORK_DAYS),
    place('network', networkOf(ip), NETWORK_DAYS)
  ]

  return {
    find: (request, account) =>
      firstKnown(db, account, [...secretsOf(request).map(deviceOf), ...networksOf(request)], now()),
    async remember(request, reply, { workspaceId, accountId }) {
      const sentSecrets = secretsOf(request)
      const devices = sentSecrets.map(deviceOf)
      const known =
        sentSecrets.length === 0 ? undefined : await firstKnown(db, { workspaceId, accountId }, devices, now())
      // Another person who used the browser may know a secret that this account did not get here.
      const own =
        sentSecrets[devices.findIndex(({ hash }) => hash === known)] ?? randomBytes(SECRET_BYTES).toString('base64url')
      const places = [deviceOf(own), ...networksOf(request)]
      await db
        .insertInto('signInPlace')
        .values(
          places.map(({ hash, days }) => ({
            workspaceId,
            accountId,
            place: hash,
            expiresAt: new Date(now().getTime() + days * 86_400_000)
          }))
        )
        .onConflict(conflict =>
          conflict
            .columns(['workspaceId', 'accountId', 'place'])
            .doUpdateSet(eb => ({ expiresAt: eb.ref('excluded.expiresAt') }))
        )
        .execute()
      const secrets = [own, ...sentSecrets.filter(secret => secret !== own)].slice(0, MAX_SECRETS)
      cookies.write(request, reply, {
        name: COOKIE,
        value: secrets.join('.'),
        // A single sign-on provider redirects here from its own site.
        sameSite: 'lax',
        seconds: DEVICE_DAYS * 86_400
      })
    }
  }
}

export const removeOldPlaces = (db: Kysely<CoreTables>, at: Date): Promise<void> =>
  removeRows(db, 'sign_in_place', ['workspace_id', 'account_id', 'place'], sql`old.expires_at < ${at}`)
