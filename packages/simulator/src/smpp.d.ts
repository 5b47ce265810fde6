/** Types for the parts of node-smpp used in tests; the package has none. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Pdu } from './testing.ts'
  type Session = EventEmitter & { send(pdu: Pdu, answered?: (answer: Pdu) => void): boolean; destroy(): void }
  const smpp: {
    connect(options: Record<string, unknown>): Session
    addTLV(name: string, options: { id: number; type: unknown }): void
    types: { tlv: Record<'cstring' | 'string', unknown> }
    PDU: new (command: string, fields?: Record<string, unknown>) => Pdu
  }
  export default smpp
}
