import { convert, type Operation, type Operations } from './convert.ts'

export default <N extends Operation>({ name, input }: { name: N; input: Parameters<Operations[N]>[0] }) =>
  convert(name, input)
