import { describe, expect, test } from 'vitest'
import { batch, compareBatch } from '../../src/experiments/batch/batch.js'
import { renderBatch } from '../../src/experiments/batch/report.js'
import { renderChart } from '../../src/experiments/charts.js'
import { compareHerd, herd } from '../../src/experiments/herd/herd.js'
import { renderHerd } from '../../src/experiments/herd/report.js'
import { HERD_CASE, METASTABLE_CASE } from '../../src/experiments/herd/situations.js'
import { renderMarkdownTable, renderTable } from '../../src/report/table.js'
import { defineClient } from '../../src/trial/client.js'

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
    const text = renderBatch(await batch({ jobs: 100, workers: 8, strategy: 'naive', runs: 1 }))
    expect(text.split('\n')).toEqual([
      'Batch: 100 jobs, 8 workers, 16 with a retired model',
      '6 % transient, 40 ms latency; seed 1: medians, virtual time',
      '',
      expect.stringMatching(/^client +wall +upstream +404s +queue p95 +success p50 +success p95 +succeeded$/),
      expect.stringMatching(/^─+( {2}─+){7}$/),
      expect.stringMatching(/^naive +\d\.\d\d s +\d{3} +64 +\d \d{3} ms +40 ms +5?40 ms +84\/100$/),
      '',
      expect.stringMatching(
        /^naive: the doomed jobs moved queue-wait p95 \d+\.\d\d x, wall \d+\.\d\d x; they did not move success p50,$/,
      ),
      '  success p95, share of successes',
    ])
  })

  test('sets what was measured beside its own figures, and says whether its medians lie there', async () => {
    const text = renderBatch(await compareBatch({ jobs: 120, workers: 4 }))
    expect(text).toContain('Measured in real time: a thread pool over loopback, three runs')
    expect(text).toMatch(/^naive +18\.30 s to 19\.90 s +181 to 189 +14 700 ms to 15 900 ms$/m)
    expect(text).toContain('All 9 medians lie within what was measured, widened by 15 %')
    const other = renderBatch(await compareBatch({ jobs: 120, workers: 4, transientRate: 0.5, runs: 1 }))
    expect(other).not.toContain('measured')
  })

  test('names the medians that lie outside of what was measured', async () => {
    const report = await batch({ jobs: 120, workers: 4, strategy: 'naive', runs: 9 })
    const slow = { ...report, wallMs: { median: 19_900 * 1.15 + 1, min: 0, max: 99_000 } }
    expect(renderBatch(slow)).toContain('2 of 3 medians lie within what was measured, widened by 15 %; outside: naive, wall')
  })

  test('says which metric tells the clients apart, and which one stays still although it flips', async () => {
    const told = renderBatch(await compareBatch({ runs: 9 })).replaceAll('\n  ', ' ')
    expect(told).toMatch(/^queue-wait p95 tells naive from classified, preflight \(at least 95 % of the runs agree\)$/m)
    expect(told).toMatch(/^success p50, success p95 tell no client from another$/m)
    expect(told).toMatch(/^success p95 flips between 40 ms and 540 ms from run to run, with every client alike$/m)
  })

  test('of which every job was doomed shows what there is no figure for as a dash', async () => {
    const { reports } = await compareBatch({ jobs: 4, workers: 2, retiredShare: 1, runs: 1 })
    expect(reports.map(({ notFound }) => notFound.median)).toEqual([16, 4, 0])
    expect(renderBatch(reports[2]!)).toMatch(/^preflight +\d+\.\d\d s +1 +0 +- +- +- +0\/0$/m)
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
  test('as a table shows figures, errors, phases, and what the model does not tell apart', async () => {
    const comparison = await compareHerd({
      clients: 10,
      requestsEach: 5,
      runs: 2,
      strategies: ['none', 'full-jitter', 'retry-after'],
    })
    const text = renderHerd(comparison)
    const lines = text.split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'Herd: 10 clients, 5 requests each',
      'a request 100 ms after each answer, attempt time-out 4 000 ms; server: 2 at once, median 1000 ms,',
      '  p95 4000 ms, 2 may wait, then 503; 2 runs, seeds 1 to 2: medians, virtual time',
    ])
    expect(lines).toContainEqual(expect.stringMatching(/^client +503( +timeout)?$/))
    expect(lines).toContainEqual(expect.stringMatching(/^client +spike +pile-up +requests +re-sends +answered +recovery +end$/))
    expect(lines).toContainEqual(
      expect.stringMatching(/^full-jitter +0\.00 s +\d\.\d\d s +\d+ +\d+ +\d+ % +\d+\.\d\d s +\d+\.\d\d s$/),
    )
    expect(text).toMatch(/^Not told apart on success \(fewer than 95 % of the runs agree\): full-jitter from retry-after$/m)
    expect(lines.filter((line) => line.length > 100)).toEqual([])
  })

  test('that was published shows the published figures, and which order is reproduced, which is not, and why', async () => {
    const text = renderHerd(await compareHerd({ ...HERD_CASE, strategies: ['fixed', 'full-jitter'], runs: 20 }))
    expect(text).toMatch(/^fixed .* 62 %, 14\.2 s$/m)
    expect(text).toMatch(/^full-jitter .* 91 %, 5\.8 s$/m)
    const told = text.replaceAll('\n  ', ' ')
    expect(told).toMatch(/^Published order on success, reproduced \(at least 95 % of the runs agree\): fixed below full-jitter$/m)
    expect(told).toMatch(/^Published order on p95, the opposite here: fixed above full-jitter\. This p95 holds the waits/m)
    expect(told).toMatch(
      /^Published order on p95\*, not told apart here: fixed above full-jitter\. The last attempt holds no wait/m,
    )
  })

  test('that was not published has none beside it', async () => {
    const text = renderHerd(await compareHerd({ ...HERD_CASE, requestsEach: 2, strategies: ['fixed', 'full-jitter'], runs: 1 }))
    expect(text).not.toMatch(/published\*|Published order/)
    const own = await herd({ ...HERD_CASE, client: defineClient('fixed', ({ url }) => fetch(url, { method: 'POST' })), runs: 1 })
    expect(own.client).toBe('fixed')
    expect(own.published).toBeNull()
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

  test('of many series has a strip for each, on the same scales', () => {
    const series = ['a', 'b', 'c', 'd'].map((name, i) => ({
      name,
      points: [
        [0, 10],
        [10, 10 * i],
      ] as const,
    }))
    const chart = { kind: 'panels', title: 't', description: 'd', xLabel: 's', yLabel: 'requests/s' } as const
    const svg = renderChart({ ...chart, series, span: { from: 5, to: 10, label: 'outage' } })
    // Strips of 44 with gaps of 10 below 44; 30 of 30 is the whole strip, 10 a third of it.
    expect(svg.match(/ d="[^"]*"/g)!.slice(0, 2)).toEqual([
      ' d="M64,98 L64,83.3 L584,98 L584,98 Z"',
      ' d="M64,152 L64,137.3 L584,137.3 L584,152 Z"',
    ])
    expect(svg).toContain('<rect class="span" x="324" y="44" width="260" height="216"/>')
    expect(svg).toContain('viewBox="0 0 760 320"')
  })

  test('of a batch and of a herd tells in words what it shows', async () => {
    const dots = renderBatch(await compareBatch({ jobs: 20, workers: 2, runs: 2 }), 'svg')
    expect(dots).toMatch(/<desc>One dot per run\. naive: queue-wait p95 .* ms, success p95 \d+ ms; classified: /)
    // Two runs of three clients, and the legend.
    expect(dots.match(/<circle /g)).toHaveLength(9)
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
