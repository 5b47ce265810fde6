import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countSmsParts } from '@carillon/contract/channels/sms/sms-parts'
import type { SmsMessage } from '../message.ts'
import { SmppConfig } from './config.ts'
import { createFrameReader, FrameError } from '../../../lib/smpp/frames.ts'
import { command, encodePdu, readCString } from '../../../lib/smpp/pdu.ts'
import { createSubmitEncoder } from './submit.ts'
import { decodeTlvs } from '../../../lib/smpp/tlv.ts'
import { decodeText } from './text.ts'

const now = new Date('2026-01-05T12:00:00Z')

function message(text: string, more: Partial<SmsMessage> = {}): SmsMessage {
  const { encoding, parts } = countSmsParts(text)
  return {
    reference: 'r-1',
    to: '+919812345670',
    from: 'ACMESH',
    text,
    parts,
    encoding,
    entityId: undefined,
    dltTemplateId: undefined,
    expiresAt: new Date('2026-01-06T12:00:00Z'),
    ...more,
  }
}

type Settings = Partial<SmppConfig>

function encode(sent: SmsMessage, settings: Settings = {}) {
  const config = SmppConfig.parse({ host: 'smsc.example', systemId: 'acme', ...settings })
  const submits = createSubmitEncoder(config)(sent, now)
  return submits.kind === 'impossible' ? submits : { kind: submits.kind, pdus: submits.frames.map(readSubmit) }
}

/** Reads the fields of a submit_sm in the order of the standard. */
function readSubmit(frame: Buffer) {
  const [pdu] = createFrameReader()(frame)
  if (!pdu || pdu.commandId !== command.submitSm) throw new Error('not a submit_sm')
  const { body } = pdu
  const source = readCString(body, 3)
  const to = readCString(body, source.end + 2)
  const validity = readCString(body, to.end + 4)
  const length = body[validity.end + 4] ?? 0
  const start = validity.end + 5
  return {
    source: [body[1], body[2], source.text],
    destination: [body[source.end], body[source.end + 1], to.text],
    esmClass: body[to.end],
    validity: validity.text,
    registered: body[validity.end],
    coding: body[validity.end + 2] ?? 0,
    text: body.subarray(start, start + length),
    tlvs: decodeTlvs(body, start + length),
  }
}

function pdusOf(sent: SmsMessage, settings?: Settings) {
  const result = encode(sent, settings)
  if (result.kind === 'impossible') throw new Error('impossible')
  return result.pdus
}

describe('addresses', () => {
  test.each([
    ['ACMESH', [5, 0, 'ACMESH']],
    ['+441632960961', [1, 1, '441632960961']],
    ['56161', [3, 0, '56161']],
  ])('header %s is %j; the number is sent without its plus', (from, source) => {
    const [pdu] = pdusOf(message('Hello', { from }))
    expect(pdu).toMatchObject({ source, destination: [1, 1, '919812345670'] })
  })

  test('settings of the account override them', () => {
    const settings: Settings = { sourceTon: '0', sourceNpi: '9', destinationTon: '2', destinationNpi: '8' }
    expect(pdusOf(message('Hello'), settings)[0]).toMatchObject({
      source: [0, 9, 'ACMESH'],
      destination: [2, 8, '919812345670'],
    })
  })
})

describe('texts', () => {
  test.each([
    ['plain', 'Order 7 is on its way', {}, 0, 'Order 7 is on its way'],
    ['GSM signs', 'mail @ 5 € {ok}', {}, 0, undefined],
    ['Hindi', 'नमस्ते आशा', {}, 8, undefined],
    ['Latin-1 for coding 0', 'café @ home', { defaultAlphabet: 'latin1' }, 0, 'café @ home'],
    ['Latin-1 by name', 'café @ home', { dataCoding: 'latin1' }, 3, 'café @ home'],
    ['UCS-2 by name', 'Hello', { dataCoding: 'ucs2' }, 8, '\0H\0e\0l\0l\0o'],
  ] as [string, string, Settings, number, string | undefined][])('%s', (_, text, settings, coding, octets) => {
    const [pdu] = pdusOf(message(text), settings)
    expect(pdu?.coding).toBe(coding)
    if (octets !== undefined) expect(pdu?.text.toString('latin1')).toBe(octets)
    if (pdu) expect(decodeText(pdu.text, pdu.coding, settings.defaultAlphabet ?? 'gsm7')).toBe(text)
  })

  test.each([
    ['नमस्ते', { dataCoding: 'gsm7' }],
    ['नमस्ते', { dataCoding: 'latin1' }],
  ] as [string, Settings][])('%s cannot be encoded with %j', (text, settings) => {
    expect(encode(message(text), settings)).toMatchObject({
      outcome: { kind: 'rejected', reason: 'bad_request', code: 'character_set' },
    })
  })

  const long = 'Dear customer, your order has left our house. '.repeat(5).trim()

  test.each([
    ['udh', 2, 0x40, '050003', 6],
    ['udh16', 2, 0x40, '060804', 7],
    ['sar', 2, 0, '', 0],
    ['payload', 1, 0, '', 0],
  ] as const)('a long text by %s', (longMessage, parts, esmClass, header, headerLength) => {
    const pdus = pdusOf(message(long), { longMessage })
    expect(pdus.map((pdu) => pdu.esmClass)).toEqual(Array(parts).fill(esmClass))
    if (longMessage === 'payload') {
      expect(pdus[0]?.text).toHaveLength(0)
      expect(pdus[0]?.tlvs.get(0x0424)?.toString()).toBe(long)
      return
    }
    expect(pdus.map((pdu) => pdu.text.toString('hex', 0, header.length / 2))).toEqual(pdus.map(() => header))
    expect(pdus.map((pdu) => pdu.text.subarray(headerLength).toString()).join('')).toBe(long)
    if (longMessage === 'sar') {
      expect(pdus.map((pdu) => [pdu.tlvs.get(0x020e)?.[0], pdu.tlvs.get(0x020f)?.[0]])).toEqual([
        [2, 1],
        [2, 2],
      ])
      expect(pdus[0]?.tlvs.get(0x020c)).toEqual(pdus[1]?.tlvs.get(0x020c))
    } else
      expect(pdus.map((pdu) => [...pdu.text.subarray(headerLength - 2, headerLength)])).toEqual([
        [2, 1],
        [2, 2],
      ])
  })

  test("any text can be reassembled from its parts, and no part exceeds the network's limit", () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', '€', '{', ' ', '\n', '@'), maxLength: 700 }),
      fc.string({ unit: fc.constantFrom('न', '😀', 'a', '़'), maxLength: 300 }),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom('udh', 'udh16', 'sar'), (text, longMessage) => {
        const pdus = pdusOf(message(text), { longMessage })
        const bodies = pdus.map((pdu) => pdu.text.subarray(pdu.esmClass === 0x40 ? 1 + (pdu.text[0] ?? 0) : 0))
        expect(bodies.map((body, index) => decodeText(body, pdus[index]?.coding ?? 0, 'gsm7')).join('')).toBe(text)
        for (const pdu of pdus) expect(pdu.text.length).toBeLessThanOrEqual(pdu.coding === 8 ? 140 : 160)
      }),
    )
  })
})

describe('parameters', () => {
  const ids = { entityId: '1101234567890123456', dltTemplateId: '1107123456789012345' }

  test('DLT ids are sent as octets, with a trailing NUL where an operator requires it', () => {
    const [pdu] = pdusOf(message('Hello', ids), { dltTelemarketer: '1302' })
    expect([0x1400, 0x1401, 0x1402].map((tag) => pdu?.tlvs.get(tag)?.toString())).toEqual([
      ids.entityId,
      ids.dltTemplateId,
      '1302',
    ])
    const [ended] = pdusOf(message('Hello', ids), { dltWithNul: true, dltEntityTag: '0x1500' })
    expect(ended?.tlvs.get(0x1500)?.toString()).toBe(`${ids.entityId}\0`)
  })

  test('outside India no DLT parameter is sent, and an account can add its own', () => {
    const [pdu] = pdusOf(message('Hello', ids), {
      dlt: false,
      extraTlvs: [{ tag: '0x1403', format: 'hex', value: '00ff' }],
    })
    expect([...(pdu?.tlvs ?? [])]).toEqual([[0x1403, Buffer.from('00ff', 'hex')]])
  })

  test.each([
    [undefined, ''],
    [30, '000000003000000R'],
    [10_080, '000001000000000R'],
  ])('a validity of %s minutes is %j, never past the expiry of the message', (validityMinutes, expected) => {
    expect(pdusOf(message('Hello'), { validityMinutes })[0]?.validity).toBe(expected)
  })

  test.each([
    [120, undefined, '000000000200000R'],
    [7200, 30, '000000020000000R'],
    [172_800, 30, '000001000000000R'],
  ])(
    'a time to try of the message, %s s, takes precedence over the account’s %s minutes',
    (ttlSeconds, validityMinutes, expected) => {
      expect(pdusOf(message('Hello', { ttlSeconds }), { validityMinutes })[0]?.validity).toBe(expected)
    },
  )

  test('an expired message is not sent', () => {
    expect(encode(message('Hello', { expiresAt: now }))).toMatchObject({
      outcome: { kind: 'rejected', reason: 'expired' },
    })
  })
})

describe('the stream', () => {
  const pdu = encodePdu({ commandId: command.enquireLink, status: 0, sequence: 7, body: Buffer.alloc(0) })

  test('can be split anywhere', () => {
    const stream = Buffer.concat([pdu, pdu, pdu])
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length)), (cuts) => {
        const read = createFrameReader()
        const edges = [0, ...cuts.toSorted((one, other) => one - other), stream.length]
        const pieces = edges.slice(1).map((end, index) => stream.subarray(edges[index], end))
        expect(pieces.flatMap((piece) => read(piece)).map(({ sequence }) => sequence)).toEqual([7, 7, 7])
      }),
    )
  })

  test.each([0, 15, 70_000, 0xffff_ffff])('a PDU of %i octets ends the stream', (length) => {
    const bytes = Buffer.from(pdu)
    bytes.writeUInt32BE(length, 0)
    expect(() => createFrameReader()(bytes)).toThrow(FrameError)
  })
})
