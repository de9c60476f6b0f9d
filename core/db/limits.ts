/** Per process. A statement takes under a millisecond: more add no throughput. */
export const SHORT_READ_CONNECTIONS = 4

/** For SSDs. With the default, made for rotating disks, the planner scans whole tables for a few thousand rows. */
export const RANDOM_PAGE_COST = 1.1

/** The parts of the workspaces on Citus. */
export const DEFAULT_SHARDS = 32

/** PostgreSQL's error codes: read-only, as the embedded database becomes before; a file cannot grow. */
export const FULL_DISK_CODES: readonly string[] = ['25006', '53100']
