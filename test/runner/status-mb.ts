import { readFile } from 'node:fs/promises'

/** Megabytes of a process on Linux: the peak so far, and now. */
export async function statusMb(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024)
}
