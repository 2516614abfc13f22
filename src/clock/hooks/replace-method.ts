// biome-ignore lint/suspicious/noExplicitAny: the only type that every function is assignable to
type AnyFunction = (...args: any[]) => any

/**
 * Puts a wrapper in the place of a method. It keeps the name, the length and every other property of the original (util.promisify.custom
 * above all), so that nobody who looks at the function sees a difference.
 */
export const replaceMethod = <K extends string, F extends AnyFunction>(
  holder: { [key in K]: F },
  name: K,
  wrap: (original: F) => F,
): void => {
  // A getter hands out a method of another object, which is replaced there.
  const descriptor = Object.getOwnPropertyDescriptor(holder, name)
  if (typeof descriptor?.value !== 'function') return
  const wrapper = wrap(descriptor.value)
  copyProperties(descriptor.value, wrapper)
  Object.defineProperty(holder, name, { ...descriptor, value: wrapper })
}

const copyProperties = (from: AnyFunction, to: AnyFunction): void => {
  for (const key of Reflect.ownKeys(from)) {
    if (Object.getOwnPropertyDescriptor(to, key)?.configurable === false) continue
    Object.defineProperty(to, key, Object.getOwnPropertyDescriptor(from, key)!)
  }
}
