export { renderFailure } from './failure.js'
export { loadTrial } from './load-trial.js'
export { formatDuration, formatMs, formatNumber, oneLine, plural, toAscii, truncate } from './text.js'
export { renderTimeline, type TimelineOptions } from './timeline.js'
