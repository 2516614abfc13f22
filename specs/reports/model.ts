import { contract, sound, soundVariants, wrong } from '../../fixtures/clients/index.js'
import type { Contract } from '../../src/guarantees/contract.js'
import { judge } from '../../src/guarantees/judge.js'
import type { GuaranteeId, Verdict } from '../../src/guarantees/model.js'
import type { ScheduleInput } from '../../src/schedule/model.js'
import type { Trial } from '../../src/trace/model.js'
import type { Client, TrialOptions } from '../../src/trial/model.js'

/** A public report about a retrying client, as the smallest schedule that shows it. */
export interface Report {
  /** Number in the collection of reports; a letter is added when one report asks several things. */
  readonly id: string
  /** The fault, in a few words. */
  readonly says: string
  /** One trial each, judged together. */
  readonly schedules: readonly ScheduleInput[]
  readonly options?: TrialOptions
  /** Seeds of each schedule, from 1 on. Default 1. */
  readonly seeds?: number
  /** Default: that of the sound clients. */
  readonly contract?: Contract
  /** The guarantee that tells the two clients apart. */
  readonly judgedBy: GuaranteeId | ((trials: readonly Trial[], contract: Contract) => Verdict)
  readonly sound: Client
  /** What the wire shows of the sound client: the right value. */
  readonly right: (trials: readonly Trial[]) => readonly unknown[]
  readonly is: readonly unknown[]
  readonly faulty: Client
  /** The rule that the faulty client breaks. */
  readonly breaks: string
}

export const soundLoop: Client = sound['fetch-loop']!
export const nodeHttp: Client = sound['node-http']!
export const variant = (name: string): Client => soundVariants[name]!.client
export const bug = (name: string): Client => wrong[name]!.client
export const promised: Contract = contract
export const GET: TrialOptions = { call: { method: 'GET' } }
export const KEYLESS: TrialOptions = { call: { idempotencyKey: 'none' } }

export const verdictOf = ({ judgedBy }: Report, trials: readonly Trial[], own: Contract): Verdict =>
  typeof judgedBy === 'function' ? judgedBy(trials, own) : judge(trials, own, [judgedBy])[0]!

// What reports assert on.
export const statuses = (trials: readonly Trial[]) => trials.map((trial) => trial.statuses)
export const attempts = (trials: readonly Trial[]) => trials.map((trial) => trial.attempts.length)
export const settledBy = (ms: number) => (trials: readonly Trial[]) =>
  trials.map(({ settledAtMs }) => (settledAtMs ?? Infinity) <= ms)
/** Whether the first re-send came no earlier than this, and less than a second later. */
export const waited = (ms: number) => (trials: readonly Trial[]) =>
  trials.map(({ gapsMs: [gapMs] }) => gapMs != null && gapMs >= ms && gapMs < ms + 1_000)
