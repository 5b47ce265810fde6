import { describe, expect, test } from 'vitest'
import { smpp } from './smpp.ts'
import { receiptedIds, submittedId } from './message-ids.ts'
import type { Delivered } from '../../../lib/smpp/pdu.ts'
import { isReceipt, parseReceipt } from './receipt.ts'
import { tag } from '../../../lib/smpp/tlv.ts'

const now = new Date('2026-01-05T12:00:00Z')
const rules = { timezoneOffset: '+05:30', vendorErrors: [], now }

function delivered(text: string, more: Partial<Delivered> = {}): Delivered {
  return {
    from: '919812345670',
    to: 'ACMESH',
    esmClass: 4,
    dataCoding: 0,
    shortMessage: Buffer.from(text),
    tlvs: new Map(),
    ...more,
  }
}

const textbook =
  'id:0123456789 sub:001 dlvrd:001 submit date:2601051725 done date:2601051730 stat:DELIVRD err:000 text:Order 7 is on its wa'

describe('a receipt', () => {
  test.each([
    ['delivered', 'DELIVRD', 'delivered', undefined],
    ['too late to matter', 'EXPIRED', 'failed', 'expired'],
    ['deleted by the operator', 'DELETED', 'failed', 'operator_rejected'],
    ['refused by the handset', 'UNDELIV', 'failed', 'undelivered'],
    ['taken by the next network', 'ACCEPTD', 'sent', undefined],
    ['on its way', 'ENROUTE', 'sent', undefined],
    ['of unknown fate', 'UNKNOWN', 'sent', undefined],
    ['rejected', 'REJECTD', 'failed', 'operator_rejected'],
    ['a vendor-specific text', 'Undelivered', 'failed', 'undelivered'],
  ])('%s', (_, stat, status, reason) => {
    const receipt = parseReceipt(delivered(textbook.replace('DELIVRD', stat)), rules)
    expect(receipt).toMatchObject({ id: '0123456789', status })
    expect(receipt?.reason).toBe(reason)
  })

  test.each([
    ['of the textbook', textbook, '2026-01-05T12:00:00.000Z'],
    ['with seconds', textbook.replace('2601051730', '260105173007'), '2026-01-05T12:00:07.000Z'],
    ['with a whole year', textbook.replace('2601051730', '20260105173007'), '2026-01-05T12:00:07.000Z'],
    [
      'in capitals, with spaces',
      'ID: 0123456789  SUB:001 DONE DATE: 2601051730 STAT: DELIVRD ERR:000 Text:',
      '2026-01-05T12:00:00.000Z',
    ],
    ['with nothing but id and state', 'id:0123456789 stat:DELIVRD', now.toISOString()],
    ['with a date that is none', 'id:0123456789 done date:9999999999 stat:DELIVRD', now.toISOString()],
  ])('in the form %s', (_, text, at) => {
    expect(parseReceipt(delivered(text), rules)).toMatchObject({
      id: '0123456789',
      status: 'delivered',
      at: new Date(at),
    })
  })

  test.each([
    ['001', 'undelivered', 'UNDELIV 001'],
    ['600', 'dlt_entity', 'UNDELIV 600'],
    ['613', 'dlt_telemarketer', 'UNDELIV 613'],
    ['620', 'dlt_header', 'UNDELIV 620'],
    ['0633', 'dlt_template', 'UNDELIV 0633'],
    ['650', 'dnd_blocked', 'UNDELIV 650'],
    ['651', 'outside_window', 'UNDELIV 651'],
    ['5601', 'content_blocked', 'UNDELIV 5601'],
  ])('with error %s means %s', (error, reason, code) => {
    const vendorErrors = [{ code: '5601', reason: 'content_blocked', action: 'reject' }] as const
    const text = `id:7 stat:UNDELIV err:${error} text:`
    expect(parseReceipt(delivered(text), { ...rules, vendorErrors })).toMatchObject({ reason, code })
  })

  test('is read from its parameters rather than its text', () => {
    const tlvs = new Map([
      [tag.receiptedMessageId, Buffer.from('0a1b\0')],
      [tag.messageState, Buffer.from([5])],
      [tag.networkErrorCode, Buffer.from([3, 0, 27])],
    ])
    expect(parseReceipt(delivered('id:9 stat:DELIVRD err:000', { tlvs }), rules)).toMatchObject({
      id: '0a1b',
      status: 'failed',
      code: 'UNDELIV 27',
    })
  })

  test.each(['', 'hello', 'id:7', 'stat:DELIVRD', 'id:7 stat:WHATEVER'])('%j is not a receipt', (text) => {
    expect(parseReceipt(delivered(text), rules)).toBeUndefined()
  })

  test('is distinguished from a text by its class or its parameter', () => {
    expect(isReceipt(delivered('', { esmClass: 0x04 }))).toBe(true)
    expect(isReceipt(delivered('', { esmClass: 0x44 }))).toBe(true)
    expect(isReceipt(delivered('', { esmClass: 0 }))).toBe(false)
    expect(isReceipt(delivered('', { esmClass: 0x40 }))).toBe(false)
    expect(isReceipt(delivered('', { esmClass: 0, tlvs: new Map([[tag.receiptedMessageId, Buffer.from('7')]]) }))).toBe(
      true,
    )
  })
})

describe('an id', () => {
  test.each([
    ['same', '00A1', '00A1'],
    ['same', '0042', '42'],
    ['same', 'A-b_17', 'A-b_17'],
    ['resp-hex-receipt-decimal', '00FF', '255'],
    ['resp-hex-receipt-decimal', '100', '256'],
    ['resp-decimal-receipt-hex', '255', '0xff'.slice(2)],
    ['resp-decimal-receipt-hex', '0256', '100'],
    ['auto', '5F5E11A', '100000026'],
    ['auto', '100000026', '5f5e11a'],
    ['auto', '0077', '77'],
  ] as const)('with base %s: response %s matches receipt %s first', (base, answer, receipt) => {
    expect(receiptedIds(receipt, base).ids).toContain(submittedId(answer))
  })

  test.each([
    ['auto', '10', ['10', 'a', '16'], ['same', 'decimal', 'hexadecimal']],
    ['auto', '1F', ['1f', '31'], ['same', 'hexadecimal']],
    ['auto', '0007', ['7'], ['same']],
    ['auto', 'A-17', ['A-17'], ['same']],
    ['resp-hex-receipt-decimal', '10', ['a'], ['decimal']],
    ['resp-decimal-receipt-hex', '10', ['16'], ['hexadecimal']],
    ['resp-hex-receipt-decimal', 'A-17', ['A-17'], ['same']],
  ] as const)('with base %s, receipt %s may mean %j', (base, receipt, ids, readings) => {
    expect(receiptedIds(receipt, base)).toEqual({ ids, readings })
  })
})

test('the form of an account marks its secrets', () => {
  expect(smpp.config.safeParse({ host: 'smsc.example', systemId: 'acme', password: 'x' }).success).toBe(true)
  expect(smpp.config.safeParse({ host: 'smsc.example/..', systemId: 'acme' }).success).toBe(false)
  expect(smpp.config.safeParse({ host: 'smsc.example', systemId: 'acme', window: 501 }).success).toBe(false)
})
