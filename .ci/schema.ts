import { writeFileSync } from 'node:fs'
import { scheduleJsonSchema } from '../src/schedule/json-schema.js'

// Run by `npm run schema`, which formats the file afterwards.
writeFileSync(new URL('../schedule.schema.json', import.meta.url), `${JSON.stringify(scheduleJsonSchema(), null, 2)}\n`)
