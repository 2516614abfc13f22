import type { EventStream, JsonValue, ResponseStep, StreamEvent } from '../schedule/model.js'
import type { Row } from './model.js'
import { each, endless } from './play.js'
import { needsStreaming, needsTerminator } from './promises.js'

const STOP_RECONNECTING = 204

const token = (text: string): StreamEvent => ({ data: { text } })
const TOKENS = [token('one'), token('two'), token('three')]
const DONE: StreamEvent = { data: '[DONE]' }
const OVERLOADED: JsonValue = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }

const stream = (events: readonly StreamEvent[], end?: EventStream['end']): ResponseStep => ({
  status: 200,
  stream: { events, end },
})
const WHOLE = stream([...TOKENS, DONE])

/** Breaks off after one event that carries an id and a reconnection time. */
const LIVE = stream([{ id: '1', retryMs: 500, ...token('one') }], 'close')

/** Says nothing of when to come back. */
const BROKEN = stream([token('one')], 'close')

/** Group H: streaming. */
export const streaming: readonly Row[] = [
  {
    id: 'STR-01',
    guarantee: 'hint',
    title: 'A stream that is refused with 429 is not asked for again before Retry-After has passed',
    level: 'must',
    keyword: 'ought',
    source: 'RFC 9110 §10.2.3; level: suite',
    wrong: 'hint-ignored',
    appliesTo: needsStreaming,
    play: each([{ status: 429, retryAfter: 2 }, WHOLE]),
  },
  {
    id: 'STR-02',
    guarantee: 'streaming',
    title: 'A stream that breaks after its first events is reported, not started again',
    level: 'must',
    keyword: 'eng',
    source: 'gRPC A6 by analogy',
    wrong: 'restarts-stream',
    appliesTo: needsStreaming,
    play: each([stream(TOKENS, 'reset'), WHOLE]),
  },
  {
    id: 'STR-03',
    guarantee: 'streaming',
    title: 'A stream that ends without its terminator is reported as incomplete',
    level: 'should',
    keyword: 'eng',
    source: 'eng, public reports',
    wrong: 'open-end-accepted',
    appliesTo: needsTerminator,
    play: each([stream(TOKENS), WHOLE]),
  },
  {
    id: 'STR-04',
    guarantee: 'streaming',
    title: 'An error event inside a stream is reported, and the request is not repeated',
    level: 'must',
    keyword: 'vendor',
    source: 'Anthropic errors (secondary source)',
    wrong: 'error-event-as-end',
    appliesTo: needsStreaming,
    play: each([stream([token('one'), { event: 'error', data: OVERLOADED }]), WHOLE]),
  },
  {
    id: 'STR-05',
    guarantee: 'streaming',
    title: 'A client that reconnects waits the time that the stream set, and names the last event',
    level: 'must',
    keyword: 'MUST',
    source: 'WHATWG HTML §9.2 (secondary source), MCP 2025-11-25',
    wrong: 'restarts-stream',
    calls: ['GET'],
    anyMethod: true,
    appliesTo: needsStreaming,
    play: each([LIVE, STOP_RECONNECTING]),
  },
  {
    id: 'STR-06',
    guarantee: 'streaming',
    title: 'A 204 ends reconnecting',
    level: 'must',
    keyword: 'MUST',
    source: 'WHATWG HTML §9.2 (secondary source)',
    wrong: 'reconnects-after-204',
    calls: ['GET'],
    anyMethod: true,
    appliesTo: needsStreaming,
    play: each([BROKEN, STOP_RECONNECTING, BROKEN, STOP_RECONNECTING]),
  },
  {
    id: 'STR-07',
    guarantee: 'streaming',
    title: 'Streams that close without an event are not opened again without end',
    level: 'must',
    keyword: 'eng',
    source: 'eng, public reports',
    wrong: 'counter-reset-on-connect',
    calls: ['GET'],
    anyMethod: true,
    appliesTo: needsStreaming,
    play: endless([stream([])]),
  },
]
