import { Type } from 'typebox'
import { dependsOn, type ContextOf, type DbOf, type TrxOf } from '../../core/plugin.ts'
import { workspace } from '../workspace/contract.ts'
import { oidc } from './contract.ts'

const settings = Type.Object({
  issuer: Type.Optional(
    Type.String({
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1)([:/]|$))',
      description:
        'The provider, e.g. `https://login.example.org`: what it calls itself. Without TLS only on this machine.'
    })
  ),
  clientId: Type.Optional(Type.String({ minLength: 1, description: 'What this server is called at the provider.' })),
  clientSecret: Type.Optional(
    Type.String({ minLength: 1, description: 'Its secret at the provider; without it the client is a public one.' })
  ),
  name: Type.String({
    default: 'single sign-on',
    minLength: 1,
    maxLength: 60,
    description: 'What people call the provider: the button says “Sign in with …”.'
  }),
  scope: Type.String({
    default: 'openid profile email',
    pattern: '^(.* )?openid( .*)?$',
    description: 'The scopes that the provider is asked for.'
  }),
  createAccounts: Type.Boolean({
    default: false,
    description:
      'Whether whoever signs in at the provider, and is not known here, becomes a member of the first workspace.'
  })
})

export const dependencies = dependsOn(oidc, { requires: [workspace], settings })
export type Ctx = ContextOf<typeof dependencies>
export type Db = DbOf<typeof dependencies>
export type Trx = TrxOf<typeof dependencies>
