import { describe, expect, test } from 'vitest'
import { batch, compareBatch } from '../../src/experiments/batch/batch.js'
import { renderBatch } from '../../src/experiments/batch/report.js'
import { renderChart } from '../../src/experiments/charts.js'
import { compareHerd, herd } from '../../src/experiments/herd/herd.js'
import { renderHerd } from '../../src/experiments/herd/report.js'
import { METASTABLE_CASE } from '../../src/experiments/herd/situations.js'
import { renderMarkdownTable, renderTable } from '../../src/report/table.js'

describe('a table', () => {
  const columns = [{ head: 'client' }, { head: 'wall', align: 'right' }] as const
  const rows = [
    ['naive', '8 720 ms'],
    ['a|b', '1 ms'],
  ]

  test('sets its columns under one another', () => {
    expect(renderTable(columns, rows)).toBe(
      ['client      wall', '──────  ────────', 'naive   8 720 ms', 'a|b         1 ms'].join('\n'),
    )
  })

  test('is Markdown on demand, bars escaped', () => {
    expect(renderMarkdownTable(columns, rows)).toBe(
      ['| client | wall |', '| --- | ---: |', '| naive | 8 720 ms |', '| a\\|b | 1 ms |'].join('\n'),
    )
  })
})

describe('a batch', () => {
  test('as a table says what was run, the figures, and which metric moved', async () => {
    const text = renderBatch(await batch({ strategy: 'naive', runs: 1 }))
    expect(text.split('\n')).toEqual([
      'Batch: 200 jobs, 16 workers, 31 with a retired model',
      '6 % transient, 40 ms latency; seed 1: median (min to max), virtual time',
      '',
      expect.stringMatching(/^client +wall +upstream +404s +queue p95 +success p50 +success p95 +succeeded$/),
      expect.stringMatching(/^─+( {2}─+){7}$/),
      expect.stringMatching(/^naive +\d\.\d\d s +\d{3} +124 +\d \d{3} ms +40 ms +5?40 ms +169\/200$/),
      '',
      expect.stringMatching(
        /^naive: the doomed jobs moved queue-wait p95 \d+\.\d\d x, wall \d\.\d\d x; they did not move success p50, success p95, share of successes$/,
      ),
    ])
  })

  test('as Markdown names the ids that were refused', async () => {
    const text = renderBatch(await compareBatch({ jobs: 30, workers: 3, runs: 1 }), 'markdown')
    expect(text).toContain('## Batch: 30 jobs, 3 workers, 5 with a retired model')
    expect(text.match(/^\| (naive|classified|preflight) \|/gm)).toHaveLength(3)
    expect(text).toMatch(/^- preflight: refused before submission: /m)
  })

  test('as JSON is the report', async () => {
    const report = await batch({ jobs: 10, workers: 2, strategy: 'classified', runs: 1 })
    expect(JSON.parse(renderBatch(report, 'json'))).toMatchObject({
      kind: 'batch',
      client: 'classified',
      wallMs: { ...report.wallMs },
    })
  })
})

describe('a herd', () => {
  test('as a table shows figures, phases, and what the model does not tell apart', async () => {
    const comparison = await compareHerd({
      clients: 10,
      requestsEach: 5,
      runs: 2,
      strategies: ['none', 'full-jitter', 'retry-after'],
    })
    const lines = renderHerd(comparison).split('\n')
    expect(lines[0]).toBe('Herd: 10 clients, 5 requests each')
    expect(lines[1]).toBe(
      'a request 100 ms after each answer, attempt time-out 4 000 ms; server: 2 at once, median 1000 ms, p95 4000 ms, 2 may wait, then 503; 2 runs, seeds 1 to 2: medians, virtual time',
    )
    expect(lines).toContainEqual(
      expect.stringMatching(/^full-jitter, seed 1: spike .*; pile-up .* of them re-sends, .* answered/),
    )
    expect(lines.at(-2)).toBe('Not told apart on success (fewer than 95 % of the runs agree): full-jitter from retry-after')
  })

  test('that never recovers says so in the table, and in JSON', async () => {
    const report = await herd({ ...METASTABLE_CASE, requestsEach: 60, strategy: 'fixed', runs: 1 })
    expect(renderHerd(report)).toMatch(/^fixed .* never /m)
    expect(JSON.parse(renderHerd(report, 'json')).recoveryMs).toEqual({ median: 'never', min: 'never', max: 'never' })
  })
})

describe('a chart', () => {
  test('has a title and a description, escaped, and a line for each series', () => {
    const svg = renderChart({
      kind: 'line',
      title: 'a < b',
      description: 'told in words & figures',
      xLabel: 's',
      yLabel: 'requests/s',
      series: [
        {
          name: 'fixed',
          points: [
            [0, 0],
            [10, 50],
          ],
        },
        {
          name: 'jitter',
          points: [
            [0, 100],
            [10, Number.NaN],
          ],
        },
      ],
    })
    expect(svg).toContain('<title>a &lt; b</title>')
    expect(svg).toContain('<desc>told in words &amp; figures</desc>')
    // x from 64 over 520 for 0 to 10, y from 300 up over 256 for 0 to 100; what is no number is left out.
    expect(svg.match(/points="[^"]*"/g)).toEqual(['points="64,300 584,172"', 'points="64,44"'])
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg.match(/<text class="ink"/g)).toHaveLength(3)
  })

  test('of a batch and of a herd tells in words what it shows', async () => {
    const dots = renderBatch(await compareBatch({ jobs: 20, workers: 2, runs: 2 }), 'svg')
    expect(dots).toMatch(/<desc>One dot per run\. naive: queue-wait p95 .* ms, success p95 \d+ ms; classified: /)
    expect(dots.match(/<circle /g)).toHaveLength(6)
    const lines = renderHerd(await herd({ clients: 3, requestsEach: 2, strategy: 'fixed', runs: 1 }), 'svg')
    expect(lines).toMatch(/<desc>Requests per second over time, seed 1\. fixed peaks at \d+ requests in a second\.<\/desc>/)
  })
})

test('another format is refused by name', async () => {
  const report = await batch({ jobs: 2, workers: 1, strategy: 'classified', runs: 1 })
  expect(() => renderBatch(report, 'html' as 'svg')).toThrow(
    "renderBatch(result, format): expected 'table', 'markdown', 'json', 'svg', received \"html\"",
  )
})
