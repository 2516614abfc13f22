import type { Trial } from '../trace/model.js'

let listener: ((trial: Trial) => void) | null = null

/** Whoever shows trials beside the test that ran them listens here; there is one listener. */
export const onTrialFinished = (listen: ((trial: Trial) => void) | null): void => {
  listener = listen
}

/** Hands a finished trial to the listener, and returns it. */
export function tellFinished(trial: Trial): Trial {
  listener?.(trial)
  return trial
}
