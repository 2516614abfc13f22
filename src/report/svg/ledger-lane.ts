import type { LedgerEntry } from '../../trace/model.js'
import { plural } from '../text.js'
import { LABEL_LEFT, type Layers, type Picture, PLOT, TEXT_RIGHT } from './layout.js'
import { fitText } from './text-width.js'
import { textElement } from './xml.js'

const LEDGER_HEIGHT = 26
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE']
const ENTRIES_SHOWN = 4

/** Work of safe methods is no work that could be done twice. */
const workOf = ({ trial }: Picture): LedgerEntry[] =>
  trial.ledger.entries.filter(({ method, appliedBy }) => !SAFE_METHODS.includes(method) && appliedBy.length > 0)

export const ledgerHeight = (picture: Picture): number => (workOf(picture).length === 0 ? 0 : LEDGER_HEIGHT)

const sentence = ({ key, appliedBy }: LedgerEntry): string =>
  `${key === null ? 'no key' : `key ${key}`} by ${appliedBy.map((number) => `#${number}`).join(' and ')}`

/** What the server has done in the end: how often, under which key, because of which attempt. */
export function drawLedger(picture: Picture, y: number): Layers {
  const work = workOf(picture)
  if (work.length === 0) return { ground: '', spans: '', marks: '' }
  const count = work.reduce((sum, { appliedBy }) => sum + appliedBy.length, 0)
  const names = work.slice(0, ENTRIES_SHOWN).map(sentence).join(', ')
  const text = `work done ${count === 1 ? 'once' : plural(count, 'time')}: ${names}${work.length > ENTRIES_SHOWN ? ', …' : ''}`
  const middle = y + LEDGER_HEIGHT / 2
  const fitted = fitText(text, TEXT_RIGHT - PLOT.left, { isBold: true })
  return {
    ground: '',
    spans: '',
    marks:
      textElement('the server', LABEL_LEFT, middle + 4, 'ink strong') +
      textElement(fitted, PLOT.left, middle + 4, 'ink strong halo'),
  }
}
