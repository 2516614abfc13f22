import { isUtf8 } from 'node:buffer'
import { ProbeError } from './errors.js'
import { LEAST_SEARCHED, SecretIndex } from './secret-index.js'
import { type NamePlace, SECRET_SHAPES, secretNames } from './secret-names.js'

export interface RedactOptions {
  /** Further names of headers, query parameters and body fields whose values are secret. Case, dashes and underscores do not count. */
  readonly names?: readonly string[]
  /** Secrets themselves, of at least 6 characters each, to be hidden wherever they appear. */
  readonly values?: readonly string[]
}

const SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey|Negotiate|AWS4-HMAC-SHA256|GoogleLogin)\s+(\S.*)$/i
/** A parameter of a URL or a form; or, after a space or a quote, an assignment in a text. */
const QUERY = /(^|[?&;#\s"'(])([^=&;?#\s"'<>()]+)=([^&#\s"'<>]*)/g
const USER_INFO = /(\/\/)([^/\s:@"'?#]*)(?::([^/\s@"'?#]*))?@/g
const BEARER = /\b(Bearer\s+)([\w.~+/=-]{8,})/gi
/** Base64 of 'user:password'; other words may follow "Basic", too. */
const BASIC = /\b(Basic\s+)([A-Za-z0-9+/]{4,}={0,2})/g
/** Fields of a body that is no JSON as a whole: an event stream, or one that was cut. The value may be cut, too. */
const JSON_FIELD = /"((?:[^"\\]|\\.)*)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)("|$)|(-?\d[\d.eE+-]*))/g
const XML_FIELD = /(<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?>)([^<]+)(?=<\/)/g
const FORM_FIELD = /(name="?([^"\r\n;]+)"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n)([\s\S]*?)(?=\r?\n--|$)/g

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/**
 * Hides secrets. A value that was seen under a secret name once is hidden wherever it turns up later (an answer that echoes the
 * request, an error message with the URL), in each of its spellings. Equal secrets get equal tags, so that a trace still shows whether a
 * credential changed.
 *
 * @example
 * const redactor = new Redactor()
 * redactor.header('authorization', 'Bearer abcdef123') // 'Bearer [redacted-1]'
 */
export class Redactor {
  readonly #isSecret: (name: string, place: NamePlace) => boolean
  readonly #tags = new Map<string, string>()
  readonly #searched = new SecretIndex()

  constructor({ names = [], values = [] }: RedactOptions = {}) {
    this.#isSecret = secretNames(names)
    for (const [i, value] of values.entries()) {
      // Not the value itself in the message: it is a secret.
      if (value.length < LEAST_SEARCHED)
        throw new ProbeError(
          `redact.values[${i}]: expected at least ${LEAST_SEARCHED} characters, received ${value.length}: too short to be told from other words`,
        )
      this.#hide(value)
    }
  }

  header(name: string, value: string): string {
    if (!this.#isSecret(name, 'header')) return this.text(value)
    if (/^set-cookie$/i.test(name)) return this.#cookies([value.split(';')[0]!], value)
    if (/^cookie$/i.test(name)) return this.#cookies(value.split(';'), value)
    const [, scheme, credential] = SCHEME.exec(value) ?? []
    if (scheme === undefined || credential === undefined) return this.#hide(value)
    if (/^basic$/i.test(scheme)) this.#learnBasic(credential)
    return `${scheme} ${this.#hide(credential)}`
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.header(name, value)]))
  }

  /** A path with its query, or a whole URL. */
  url(url: string): string {
    return this.text(url)
  }

  /** Any text: secrets by name in URLs, by shape, and those that are known. */
  text(text: string): string {
    const named = text
      .replace(USER_INFO, (_, slashes: string, user: string, password = '') =>
        // Without a password it is the user that is the secret: a token.
        password === '' ? `${slashes}${this.#hide(decoded(user))}@` : `${slashes}${user}:${this.#hide(decoded(password))}@`,
      )
      .replace(QUERY, (whole, before: string, name: string, value: string) =>
        value !== '' && this.#isSecret(decoded(name), /^[?&;#]?$/.test(before) ? 'query' : 'header')
          ? `${before}${name}=${this.#hide(decoded(value))}`
          : whole,
      )
      .replace(BEARER, (_, word: string, credential: string) => word + this.#hide(credential))
      .replace(BASIC, (whole, word: string, credential: string) =>
        this.#learnBasic(credential) ? word + this.#hide(credential) : whole,
      )
    const shaped = SECRET_SHAPES.reduce((done, shape) => done.replace(shape, (secret) => this.#hide(secret)), named)
    return this.#searched.replace(shaped)
  }

  /** A body of text: JSON (also inside of JSON strings), a form, an event stream. Other bytes are kept unless a known secret is in them. */
  body(body: Uint8Array, contentType = ''): Uint8Array {
    if (body.length === 0) return body
    const isText = isUtf8(body)
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(isText ? 'utf8' : 'latin1')
    const hidden = this.#bodyText(text, contentType)
    return hidden === text ? body : new Uint8Array(Buffer.from(hidden, isText ? 'utf8' : 'latin1'))
  }

  /** Plain data of any depth, such as what a client resolved with. */
  value(value: unknown, isSecret = false): unknown {
    if (typeof value === 'string') return isSecret ? this.#hide(value) : this.#jsonInside(value)
    if (typeof value === 'number' && isSecret) return this.#hide(String(value))
    if (value instanceof Uint8Array) return this.body(value)
    if (Array.isArray(value)) return value.map((item) => this.value(item, isSecret))
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value)
    return Object.fromEntries(
      fields.map(([name, field]) => [this.text(name), this.value(field, isSecret || this.#isSecret(name, 'field'))]),
    )
  }

  #bodyText(text: string, contentType: string): string {
    if (/^\s*[[{]/.test(text)) {
      try {
        const parsed: unknown = JSON.parse(text)
        const hidden = this.value(parsed)
        // An untouched body keeps its bytes.
        return this.text(JSON.stringify(hidden) === JSON.stringify(parsed) ? text : JSON.stringify(hidden))
      } catch {
        // Cut, or not JSON after all.
      }
    }
    if (/form-urlencoded/i.test(contentType)) return this.text(text)
    const fields = text
      .replace(JSON_FIELD, (whole, name: string, colon: string, value: string | undefined, end: string, number: string) =>
        this.#isSecret(name, 'field') && (value ?? number) !== ''
          ? `"${name}"${colon}"${this.#hide(value ?? number)}${end ?? '"'}`
          : whole,
      )
      .replace(XML_FIELD, (whole, tag: string, name: string, value: string) =>
        this.#isSecret(name, 'field') ? tag + this.#hide(value.trim()) : whole,
      )
      .replace(FORM_FIELD, (whole, head: string, name: string, value: string) =>
        this.#isSecret(name, 'field') ? head + this.#hide(value) : whole,
      )
    return this.text(fields)
  }

  /** Arguments of tool calls are JSON in a string. */
  #jsonInside(text: string): string {
    return /^\s*[[{]/.test(text) ? this.#bodyText(text, '') : this.text(text)
  }

  #cookies(pairs: readonly string[], whole: string): string {
    for (const pair of pairs) this.#hide(pair.slice(pair.indexOf('=') + 1).trim())
    return this.#hide(whole)
  }

  /** Whether it is a user and a password. */
  #learnBasic(credential: string): boolean {
    const pair = Buffer.from(credential, 'base64').toString()
    if (!/^[^\p{Cc}\ufffd:]*:[^\p{Cc}\ufffd]*$/u.test(pair)) return false
    const [user, password] = [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]
    this.#hide(password === '' ? user : password)
    return true
  }

  /** The tag of a secret; the same one every time. A short one is not looked for elsewhere: 'test' is a part of too many words. */
  #hide(secret: string): string {
    if (secret === '' || /^\[redacted-\d+\]$/.test(secret)) return secret
    const known = this.#tags.get(secret)
    if (known !== undefined) return known
    const tag = `[redacted-${this.#tags.size + 1}]`
    this.#tags.set(secret, tag)
    if (secret.length >= LEAST_SEARCHED) {
      const inBase64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
      const spellings = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), inBase64])
      for (const spelling of spellings) this.#searched.add(spelling, tag)
    }
    return tag
  }
}
