import type { HerdOptions, HerdServer } from './model.js'

/**
 * One client against a server that is away now and then. Derived from the published single run without retries: 78 % success and p95 4.1 s
 * give 22 % bad time and a 95th percentile of the service time of 4 s; a quarter of that as its median is an assumption, and so are bad
 * periods of 3 s on average.
 */
export const FLAKY_SERVER: HerdServer = {
  capacity: 10,
  serviceMs: { medianMs: 1_000, p95Ms: 4_000 },
  flaky: { goodMs: 10_600, badMs: 3_000 },
}

export const FLAKY_CASE = { clients: 1, requestsEach: 200, pauseMs: 500, server: FLAKY_SERVER } as const satisfies HerdOptions

/**
 * Ten clients that start together against a healthy server that cannot take ten at once: the same service times, room for four, and two may
 * wait. The published run says that the server was well when the herd started, not how much it could take: the capacity is an assumption.
 */
export const HERD_SERVER: HerdServer = {
  capacity: 4,
  serviceMs: { medianMs: 1_000, p95Ms: 4_000 },
  queueLimit: 2,
  overload: 503,
}

export const HERD_CASE = { clients: 10, requestsEach: 20, pauseMs: 100, server: HERD_SERVER } as const satisfies HerdOptions

/**
 * A server at 80 % of its capacity that stalls for two seconds. Calls come in whether or not the earlier ones are done, and clients give up
 * on an attempt after one second: the backlog makes every answer late, every late answer is asked for again, and the load that the retries
 * add is more than the server can take. It stays down after the trigger is gone.
 */
export const METASTABLE_CASE = {
  clients: 20,
  requestsEach: 160,
  pauseMs: 500,
  loop: 'open',
  startOverMs: 500,
  attemptTimeoutMs: 1_000,
  server: { capacity: 5, serviceMs: 100, outage: { fromMs: 10_000, forMs: 2_000, answer: 'stall' } },
} as const satisfies HerdOptions
