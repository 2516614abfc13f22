import { renderTimeline } from '../report/timeline.js'
import { makeTrial } from '../trace/build.js'
import { ledgerOf } from '../trace/ledger.js'
import type { Trial } from '../trace/model.js'
import { groupOperations } from '../trace/operations.js'
import { hiddenHash, observedCall, withoutSecrets } from './observed.js'
import type { Redactor } from './redact.js'

/**
 * A trial as it may be printed or saved: the same in everything that guarantees judge, without the secrets of its requests and answers.
 *
 * @param trial of the scripted server, or a saved one
 */
export function redactTrial(trial: Trial, redactor: Redactor): Trial {
  // Twice: a later attempt may teach which text of an earlier answer is a secret.
  for (const attempt of trial.attempts) withoutSecrets(attempt, redactor)
  const attempts = trial.attempts.map((attempt) => withoutSecrets(attempt, redactor))
  const { dedup, entries } = trial.ledger
  return makeTrial(
    {
      ...trial,
      schedule: redactor.value(trial.schedule) as Trial['schedule'],
      attempts,
      calls: trial.calls.map((call) => observedCall(call, redactor)),
      operations: groupOperations(attempts),
      ledger: ledgerOf(
        dedup,
        entries.map((entry) => ({
          ...entry,
          key: entry.key === null ? null : redactor.text(entry.key),
          path: redactor.url(entry.path),
          bodyHash: hiddenHash(entry.bodyHash),
        })),
      ),
      leftovers: {
        ...trial.leftovers,
        unhandledRejections: trial.leftovers.unhandledRejections.map((error) => redactor.text(String(error))),
      },
    },
    renderTimeline,
  )
}
