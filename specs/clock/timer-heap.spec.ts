import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import type { HeapEntry } from '../../src/clock/timer-heap.js'
import { TimerHeap } from '../../src/clock/timer-heap.js'

const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), dueAtMs: fc.nat(20) }),
    fc.record({ kind: fc.constant('remove' as const), index: fc.nat(50) }),
    fc.record({ kind: fc.constant('take first' as const) }),
  ),
)

const byTime = (a: HeapEntry, b: HeapEntry) => a.dueAtMs - b.dueAtMs || a.sequence - b.sequence

test.prop([operations], { seed: 1 })(
  'the first entry is the soonest, the earliest armed among equals, whatever was added and removed',
  (steps) => {
    const heap = new TimerHeap<HeapEntry>()
    const model: HeapEntry[] = []
    const drop = (entry: HeapEntry | undefined) => {
      if (entry === undefined) return
      heap.remove(entry)
      model.splice(model.indexOf(entry), 1)
      expect(entry.heapIndex).toBe(-1)
    }
    steps.forEach((step, sequence) => {
      if (step.kind === 'add') {
        const entry = { dueAtMs: step.dueAtMs, sequence, heapIndex: -1 }
        heap.add(entry)
        model.push(entry)
      } else {
        drop(step.kind === 'remove' ? model[step.index] : heap.first)
      }
      expect(heap.inOrder()).toEqual([...model].sort(byTime))
      expect(heap.first).toBe(heap.inOrder()[0])
    })
  },
)

test('removing an entry that is not in the heap does nothing', () => {
  const heap = new TimerHeap<HeapEntry>()
  const inside = { dueAtMs: 1, sequence: 1, heapIndex: -1 }
  heap.add(inside)
  heap.remove({ dueAtMs: 1, sequence: 2, heapIndex: -1 })
  expect(heap.clear()).toEqual([{ dueAtMs: 1, sequence: 1, heapIndex: -1 }])
  expect(heap.first).toBeUndefined()
})
