import { crc32, deflateSync, gzipSync } from 'node:zlib'

/* Small files that would be huge when something unpacked them. */

const MIB = 1024 * 1024

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG whose header has this size in pixels; its data are 64 MiB of zeros. */
export function hugePicture(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of gray.
  header[8] = 8
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64 * MIB))),
    chunk('IEND', Buffer.alloc(0))
  ])
}

/** 128 MiB of zeros, packed. */
export const gzippedZeros = (): Buffer => gzipSync(Buffer.alloc(128 * MIB))
