import { runTrial } from 'retrial'

const trial = await runTrial((url, init) => fetch(url, init), [503, 200])
console.log(trial.timeline())
if (trial.statuses.join() !== '503') throw new Error(`expected one attempt, saw ${trial.statuses}`)
