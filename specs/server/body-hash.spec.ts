import { expect, test } from 'vitest'
import { bodyHash } from '../../src/server/body-hash.js'

const form = (boundary: string, value = '1') => Buffer.from(`--${boundary}\r\n\r\n${value}\r\n--${boundary}--\r\n`)

test('is SHA-256 in hex', () => {
  // sha256sum of nothing, and of "abc" (FIPS 180-4 example)
  expect(bodyHash(new Uint8Array(0), undefined)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(bodyHash(Buffer.from('abc'), 'text/plain')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('does not see which boundary a multipart body was given', () => {
  const one = bodyHash(form('a1'), 'multipart/form-data; boundary=a1')
  expect(bodyHash(form('b 2'), 'Multipart/Form-Data; charset=utf-8; boundary="b 2"')).toBe(one)
  expect(bodyHash(form('a1', '2'), 'multipart/form-data; boundary=a1')).not.toBe(one)
})

test('sees it in any other body', () => {
  expect(bodyHash(form('a1'), 'text/plain; boundary=a1')).not.toBe(bodyHash(form('b2'), 'text/plain; boundary=b2'))
})

test('tells bytes apart that are not text', () => {
  const type = 'multipart/form-data; boundary=a'
  expect(bodyHash(Buffer.from([0xff, 0x61]), type)).not.toBe(bodyHash(Buffer.from([0xfe, 0x61]), type))
})
