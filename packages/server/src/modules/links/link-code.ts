import { createHmac, timingSafeEqual } from 'node:crypto'
import { linkCodeLength } from '@carillon/contract/link-addresses'

/** Numbers of links have 24 bits, positions of recipients 23, and the MAC 24: together less than 12 digits of base 62 hold. */
export const largestNumber = 2 ** 24 - 1
export const largestSeq = 2 ** 23 - 1

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = BigInt(digits.length)
/** A code is written as two halves, each small enough for a number. */
const halfLength = linkCodeLength / 2
const half = digits.length ** halfLength

const macBytes = 3
/** Recipients that share the bytes of one HMAC, so that most messages need no new one. */
const perBlock = Math.floor(32 / macBytes)

export type LinkCode = { number: number; seq: number }

/** Codes of the recipients of one link. The key belongs to this link. */
export function createEncoder(number: number, key: Buffer): (seq: number) => string {
  assertWithin(number, largestNumber)
  const macOf = createMac(number, key)
  const shifted = BigInt(number) << 47n
  const [high, low] = [Number(shifted / BigInt(half)), Number(shifted % BigInt(half))]
  return (seq) => {
    assertWithin(seq, largestSeq)
    const rest = low + seq * 2 ** 24 + macOf(seq)
    return write(high + Math.floor(rest / half)) + write(rest % half)
  }
}

function assertWithin(value: number, largest: number) {
  if (!Number.isInteger(value) || value < 0 || value > largest)
    throw new RangeError(`${value} does not fit into the code of a link`)
}

/** 24 bits of HMAC-SHA256. Positions next to each other take theirs from one HMAC. */
function createMac(number: number, key: Buffer): (seq: number) => number {
  let known: { block: number; bytes: Buffer } | undefined
  return (seq) => {
    const block = Math.floor(seq / perBlock)
    if (known?.block !== block)
      known = { block, bytes: createHmac('sha256', key).update(`${number}:${block}`).digest() }
    return known.bytes.readUIntBE((seq % perBlock) * macBytes, macBytes)
  }
}

/** Six digits with leading zeros. */
function write(value: number): string {
  let text = ''
  for (let rest = value, place = 0; place < halfLength; place += 1) {
    text = digits.charAt(rest % digits.length) + text
    rest = Math.floor(rest / digits.length)
  }
  return text
}

/** The link and recipient of a code; undefined if it is not one, or none of these keys of the link made it. */
export function decode(code: string, keysOf: (number: number) => readonly Buffer[]): LinkCode | undefined {
  const value = parse(code)
  if (value === undefined) return undefined
  const number = Number(value >> 47n)
  if (number > largestNumber) return undefined
  const seq = Number((value >> 24n) & BigInt(largestSeq))
  const mac = Number(value & 0xffffffn)
  const isOwn = keysOf(number).map((key) => isEqual(createMac(number, key)(seq), mac))
  return isOwn.includes(true) ? { number, seq } : undefined
}

function parse(code: string): bigint | undefined {
  if (code.length !== linkCodeLength) return undefined
  let value = 0n
  for (const character of code) {
    const digit = digits.indexOf(character)
    if (digit < 0) return undefined
    value = value * base + BigInt(digit)
  }
  return value
}

function isEqual(one: number, other: number): boolean {
  return timingSafeEqual(bytesOf(one), bytesOf(other))
}

function bytesOf(mac: number): Buffer {
  const bytes = Buffer.alloc(macBytes)
  bytes.writeUIntBE(mac, 0, macBytes)
  return bytes
}
