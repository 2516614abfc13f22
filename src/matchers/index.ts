export { InconclusiveError, MatcherUsageError } from './errors.js'
export type { MatcherOptions } from './options.js'
export { matchers } from './registry.js'
export type { RetrialMatchers } from './types.js'
