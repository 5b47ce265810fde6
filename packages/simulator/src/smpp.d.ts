/** The little of node-smpp that the tests use; the package has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Pdu } from './testing.ts'
  type Session = EventEmitter & { send(pdu: Pdu, answered?: (answer: Pdu) => void): boolean; destroy(): void }
  const smpp: {
    connect(options: Record<string, unknown>): Session
    PDU: new (command: string, fields?: Record<string, unknown>) => Pdu
  }
  export default smpp
}
