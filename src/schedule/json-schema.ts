import * as z from 'zod'
import { scheduleFile } from './schema.js'

/**
 * The JSON Schema (draft-07, the one that editors know best) of schedules in JSON files: a list of steps, or an object with
 * `steps`. It checks every option on its own; options that exclude one another are found by `parseSchedule` only.
 *
 * @example
 * ```ts
 * import { scheduleJsonSchema } from 'retrial'
 *
 * console.log(JSON.stringify(scheduleJsonSchema(), null, 2))
 * ```
 */
export const scheduleJsonSchema = (): Record<string, unknown> => {
  const { $schema, ...schema } = z.toJSONSchema(scheduleFile, { io: 'input', target: 'draft-07', unrepresentable: 'any' })
  return {
    $schema,
    title: 'Retrial schedule',
    description: 'What a scripted server does to one attempt after another.',
    ...schema,
  }
}
