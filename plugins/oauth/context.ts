import { Type } from 'typebox'
import { access, address, dependsOn, sessions, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { agents } from '../agents/contract.ts'
import { mcp } from '../mcp/contract.ts'
import { ui } from '../ui/contract.ts'
import { oauth } from './contract.ts'

const settings = Type.Object({
  clientMetadataDocuments: Type.Boolean({
    default: true,
    description:
      'Whether clients may identify themselves by the address of a document, which the server fetches. Turn it off ' +
      'where the server cannot reach the internet: clients then register.'
  }),
  allowPrivateAddresses: Type.Boolean({
    default: false,
    description: 'Whether such documents may be at private, loopback and link-local addresses.'
  }),
  registrationsPerHour: Type.Integer({
    default: 60,
    minimum: 0,
    description: 'Clients that one network (IPv4 /24, IPv6 /56) may register in an hour; `0`: none.'
  }),
  maxUnusedClients: Type.Integer({
    default: 10_000,
    minimum: 1,
    description: 'Registered clients that nobody has connected yet; each is removed after a day.'
  })
})

export const dependencies = dependsOn(oauth, { requires: [agents, mcp, ui, address, sessions, access], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
