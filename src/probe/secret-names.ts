/** Case, dashes, underscores and dots are spelling: `X-API-Key`, `api_key` and `apiKey` are one name. */
const bare = (name: string): string => name.toLowerCase().replace(/[-_.\s[\]]/g, '')

/** Names that end so hold secrets, wherever they are. `max_tokens` and `Idempotency-Key` do not. */
const SECRET_ENDING =
  /(?:apikey|accesskey|accesskeyid|secretkey|privatekey|subscriptionkey|functionskey|authkey|masterkey|secret|password|passwd|passphrase|pwd|token|authorization|credentials?|signature|cookie|sessionid|jwt)$/
/** Names that are too common to be matched by their ending. */
const SECRET_WORDS: ReadonlySet<string> = new Set(['sig', 'auth', 'bearer', 'pin', 'otp', 'sid', 'hmac', 'assertion'])
/** A query parameter `key` is Google's API key; a field `key` of a body is nearly always something else. */
const SECRET_QUERY_WORDS: ReadonlySet<string> = new Set(['key', 'code'])

export type NamePlace = 'header' | 'query' | 'field'

/** Tells which names hold secrets: the well-known ones, and those that a user adds. */
export function secretNames(added: readonly string[]): (name: string, place: NamePlace) => boolean {
  const own = new Set(added.map(bare))
  return (name, place) => {
    const word = bare(name)
    if (own.has(word) || SECRET_ENDING.test(word) || SECRET_WORDS.has(word)) return true
    return place === 'query' && SECRET_QUERY_WORDS.has(word)
  }
}

/** Secrets that are known by their shape, whatever they are called. */
export const SECRET_SHAPES: readonly RegExp[] = [
  /\b(?:sk|rk|pk)[-_][A-Za-z0-9_-]{16,}/g, // OpenAI, Anthropic, Stripe
  /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/g,
  /\bxox[abeprs]-[\w-]{10,}/g, // Slack
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, // AWS
  /\bAIza[\w-]{35}/g, // Google
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, // JSON web tokens
  /\bbot\d{6,}:[\w-]{20,}/g, // Telegram, in the path
  /\bT[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{16,}/g, // Slack's incoming webhooks, in the path
  /(?<=\/webhooks\/\d{16,20}\/)[\w-]{40,}/g, // Discord's
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/g,
]
