/** One point of a chart. */
export type Point = readonly [x: number, y: number]

export interface Series {
  readonly name: string
  readonly points: readonly Point[]
}

export interface Chart {
  /** 'line' draws a panel for each series, 'dots' sets all of their points on one plane. */
  readonly kind: 'line' | 'dots'
  readonly title: string
  /** What is to be seen, in words, for those who do not see it. */
  readonly description: string
  readonly xLabel: string
  readonly yLabel: string
  readonly series: readonly Series[]
}

/** What one kind of chart draws below the title. */
export interface Drawn {
  readonly content: readonly string[]
  readonly height: number
}

export const WIDTH = 760
