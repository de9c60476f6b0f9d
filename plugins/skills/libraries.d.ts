declare module 'fresh' {
  /** Whether the client's copy will do: its `If-None-Match` names the `etag`. */
  export default function fresh(request: Record<string, unknown>, response: { etag: string }): boolean
}
