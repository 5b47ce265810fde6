import type { SmsMessage } from '../message.ts'
import type { Provider } from '../../provider.ts'
import { SmppConfig } from './config.ts'
import { probe } from './probe.ts'
import { openSession } from './session.ts'

/** Operators and aggregators that speak SMPP 3.4. */
export const smpp: Provider<SmppConfig, SmsMessage> = {
  channel: 'sms',
  name: 'smpp',
  label: 'SMPP 3.4',
  description: 'A direct connection to an operator or aggregator',
  config: SmppConfig,
  presets: [
    {
      name: 'india',
      label: 'Indian operator or aggregator',
      config: { dlt: true, destinationTon: '1', destinationNpi: '1', timezoneOffset: '+05:30' },
    },
    { name: 'elsewhere', label: 'Outside India', config: { dlt: false, timezoneOffset: '+00:00' } },
  ],
  // The protocol has no client reference: a repeat would be a second message.
  idempotent: () => false,
  connect: openSession,
  probe,
}
