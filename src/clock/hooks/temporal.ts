import type { Kernel } from '../kernel.js'
import { replaceMethod } from './replace-method.js'

interface Zoned {
  toPlainDateTime(): unknown
  toPlainDate(): unknown
  toPlainTime(): unknown
}

interface TemporalNamespace {
  readonly Now: { timeZoneId(): string }
  readonly Instant: { fromEpochMilliseconds(epochMs: number): { toZonedDateTimeISO(zone: unknown): Zoned } }
}

/** Temporal.Now shows the wall clock of the run, where there is one (Node 26). */
export const hookTemporal = (kernel: Kernel): void => {
  const temporal = Reflect.get(globalThis, 'Temporal') as TemporalNamespace | undefined
  if (temporal === undefined) return
  const { Now, Instant } = temporal
  const show = (name: string, read: (wallMs: number, zone: unknown) => unknown) =>
    replaceMethod(Now, name, (original) => (...args) => {
      const run = kernel.currentRun()
      if (run === null) return original.apply(Now, args)
      if (kernel.virtual !== null) kernel.noteReading()
      return read(Math.trunc(run.wallMs()), args[0] ?? Now.timeZoneId())
    })
  const zoned = (wallMs: number, zone: unknown) => Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO(zone)
  show('instant', (wallMs) => Instant.fromEpochMilliseconds(wallMs))
  show('zonedDateTimeISO', zoned)
  show('plainDateTimeISO', (wallMs, zone) => zoned(wallMs, zone).toPlainDateTime())
  show('plainDateISO', (wallMs, zone) => zoned(wallMs, zone).toPlainDate())
  show('plainTimeISO', (wallMs, zone) => zoned(wallMs, zone).toPlainTime())
}
