/*
 * `tracker/api`: all that plugins may import of the core, for those that are packages of their own, with what they need
 * of the two libraries in which the API is written. What it exports changes by semver: see docs/plugin-packages.md.
 */
export * from './api/accounts.ts'
export * from './api/command.ts'
export * from './api/confinement.ts'
export * from './api/contract.ts'
export * from './api/database/queries.ts'
export * from './api/database/types.ts'
export * from './api/errors.ts'
export * from './api/events.ts'
export * from './api/http.ts'
export * from './api/plugin.ts'
export * from './api/points.ts'
export * from './api/schemas.ts'
export * from './api/scopes.ts'
export * from './api/text.ts'
// The kind of error that a plugin declares; schemas.ts has the schema of every error's answer under the same name.
export type { Problem } from './api/contract.ts'
export { sql, type Kysely } from 'kysely'
export { Type, type Static, type TSchema } from 'typebox'
