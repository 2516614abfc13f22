export type Method = (...args: unknown[]) => unknown

/**
 * Puts a wrapper in the place of a method. It keeps the name, the length and every other property of the original (util.promisify.custom
 * above all), so that nobody who looks at the function sees a difference.
 */
export const replaceMethod = (holder: object, name: string, wrap: (original: Method) => Method): void => {
  // A getter hands out a method of another object, which is replaced there; a missing one is not in this version of Node.
  const descriptor = Object.getOwnPropertyDescriptor(holder, name)
  if (typeof descriptor?.value !== 'function') return
  const wrapper = wrap(descriptor.value as Method)
  const own = Object.getOwnPropertyDescriptors(wrapper) as PropertyDescriptorMap
  for (const key of Reflect.ownKeys(descriptor.value)) {
    if (own[key as string]?.configurable === false || isOverridden(own, key)) continue
    Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(descriptor.value, key)!)
  }
  Object.defineProperty(holder, name, { ...descriptor, value: wrapper })
}

/** A property that the wrapper has on purpose; every function has a name and a length. */
const isOverridden = (own: PropertyDescriptorMap, key: PropertyKey): boolean => key !== 'name' && key !== 'length' && key in own
