declare module 'fresh' {
  /** True if the client's copy is current: its `If-None-Match` contains the `etag`. */
  export default function fresh(request: Record<string, unknown>, response: { etag: string }): boolean
}
