import { createElement, lazy, type ComponentType, type ReactElement } from 'react'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

const components = new WeakMap<object, unknown>()

/** The component of a separate chunk, which is loaded when it is first displayed; Suspense waits for it. */
export function lazyElement<P extends object>(load: Load<P>, props: P): ReactElement {
  const known = (components.get(load) ?? lazy(load)) as ComponentType<P>
  components.set(load, known)
  return createElement(known, props)
}
