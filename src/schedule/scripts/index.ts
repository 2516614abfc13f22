export {
  type ConcurrencyCapOptions,
  concurrencyCap,
  type OutageOptions,
  outage,
  type TokenBucketOptions,
  tokenBucket,
} from './limiters.js'
export { byKey, byRoute } from './routes.js'
