import { BroadcastChannel, MessagePort } from 'node:worker_threads'
import type { Kernel } from '../kernel.js'
import { replaceMethod } from './replace-method.js'

/** Messages between ports of this thread come with the loop's next turn, and nothing lists them. What a worker answers, and when, stays unseen. */
export const hookMessages = (kernel: Kernel): void => {
  for (const { prototype } of [MessagePort, BroadcastChannel]) {
    replaceMethod(prototype, 'postMessage', (original) => {
      return function postMessage(this: unknown, ...args) {
        kernel.virtual?.noteMessage()
        return original.apply(this, args)
      }
    })
  }
}
