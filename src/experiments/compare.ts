import { type Separation, type Spread, separate, spread } from './stats.js'

/** Every metric as median, min and max over the runs. */
export function spreadsOf<Metric extends string>(
  metrics: readonly Metric[],
  figures: readonly Readonly<Record<Metric, number>>[],
): Record<Metric, Spread> {
  const entries = metrics.map((metric) => [metric, spread(figures.map((run) => run[metric]))] as const)
  return Object.fromEntries(entries) as Record<Metric, Spread>
}

interface Compared<Figures> {
  readonly client: string
  readonly figures: readonly Figures[]
}

/** A metric, and where a run has it. */
export type Metrics<Figures> = Readonly<Record<string, (run: Figures) => number>>

/** How each metric orders each pair of clients, in the order in which they were given. */
export function separations<Figures>(reports: readonly Compared<Figures>[], metrics: Metrics<Figures>): readonly Separation[] {
  return reports.flatMap((a, i) =>
    reports
      .slice(i + 1)
      .flatMap((b) =>
        Object.entries(metrics).map(([metric, read]) =>
          separate(metric, a.client, a.figures.map(read), b.client, b.figures.map(read)),
        ),
      ),
  )
}
