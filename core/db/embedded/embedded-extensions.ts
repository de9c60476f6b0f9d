import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'

export const embeddedExtensions = { vector, pg_trgm: trigrams }
