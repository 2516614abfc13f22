import type { ResponseStep } from '../schedule/model.js'
import type { KnownWork } from './ledger.js'

const refusal = (status: number, code: string, message: string): ResponseStep => ({
  status,
  body: { error: { code, status, message } },
})

/** What a known key meets that does not get the first result (draft-ietf-httpapi-idempotency-key-header-07 §2.7). */
export const REFUSALS: Readonly<Record<Exclude<KnownWork['mark'], 'replay'>, ResponseStep>> = {
  'in-progress': refusal(409, 'idempotency_in_progress', 'a request with this idempotency key is still in progress'),
  reject: refusal(409, 'idempotency_key_known', 'a request with this idempotency key was accepted before'),
  mismatch: refusal(422, 'idempotency_key_mismatch', 'this idempotency key was used with another body'),
}
