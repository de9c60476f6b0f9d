import { Gauge } from 'prom-client'

/** A metric without labels, whose value is read for each answer. */
export const gauge = (name: string, help: string, read: () => number | Promise<number>): Gauge =>
  new Gauge({
    name,
    help,
    registers: [],
    async collect() {
      this.set(await read())
    }
  })
