import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'

/** The extensions that plugins may create on the embedded database, as on PostgreSQL with pgvector. */
export const embeddedExtensions = { vector, pg_trgm: trigrams }
