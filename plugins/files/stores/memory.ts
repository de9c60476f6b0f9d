/** Frees the memory of a chunk now. V8 lets the chunks of uploads take more than 60 MB before it collects them. */
export function freeMemory({ buffer, byteLength }: Buffer): void {
  const isShared = byteLength < buffer.byteLength
  if (buffer instanceof ArrayBuffer && !isShared) buffer.transfer(0)
}
