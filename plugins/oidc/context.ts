import { Type } from 'typebox'
import { address, dependsOn, sessions, type ContextOf, type DbOf, type TrxOf } from '../../core/api/plugin.ts'
import { workspace } from '../workspace/contract.ts'
import { oidc } from './contract.ts'

const settings = Type.Object({
  issuer: Type.Optional(
    Type.String({
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)([:/]|$))',
      description: 'The provider’s issuer, e.g. `https://login.example.org`. Without TLS only on this machine.'
    })
  ),
  clientId: Type.Optional(Type.String({ minLength: 1, description: 'The client id of this server at the provider.' })),
  clientSecret: Type.Optional(
    Type.String({
      minLength: 1,
      writeOnly: true,
      description: 'Its client secret at the provider; without it the client is a public one.'
    })
  ),
  name: Type.String({
    default: 'single sign-on',
    minLength: 1,
    maxLength: 60,
    description: 'The name of the provider on the button “Sign in with …”.'
  }),
  scope: Type.String({
    default: 'openid profile email',
    pattern: '^(.* )?openid( .*)?$',
    description: 'The scopes that are requested from the provider.'
  }),
  createAccounts: Type.Boolean({
    default: false,
    description:
      'Whether a person who signs in at the provider, and has no account here, becomes a member of the first workspace.'
  })
})

export const dependencies = dependsOn(oidc, { requires: [workspace, address, sessions], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
