/** Connections per process that short reads share. A statement takes under a millisecond: more add no throughput. */
export const SHORT_READ_CONNECTIONS = 4

/** For SSDs. With the default, made for rotating disks, the planner scans whole tables for a few thousand rows. */
export const RANDOM_PAGE_COST = 1.1
