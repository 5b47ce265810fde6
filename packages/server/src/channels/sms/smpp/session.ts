import type { ProviderIo, SendOutcome, Session, SessionState } from '../../provider.ts'
import type { SmsMessage } from '../message.ts'
import { openCarriers } from './carriers.ts'
import type { SmppConfig } from './config.ts'
import { createDeliveries } from './deliveries.ts'
import { firstPart, notConnected } from './outgoing.ts'
import { createSubmitEncoder } from './submit.ts'

export function openSession(config: SmppConfig, io: ProviderIo): Session<SmsMessage> {
  const deliveries = createDeliveries({ config, io })
  const encode = createSubmitEncoder(config)
  let isClosing = false
  // Deferred: the first change occurs while the session is being constructed.
  const carriers = openCarriers({
    config,
    io,
    deliveries,
    onState: () => queueMicrotask(() => io.onState(state())),
  })

  function state(): SessionState {
    return { ready: !isClosing && carriers.isConnected(), ...carriers.state() }
  }

  return {
    state,
    window: config.window * config.sessions,
    send(batch, onOutcome) {
      if (isClosing || !carriers.isConnected()) {
        const detail = carriers.state().lastError?.message ?? 'There is no connection to the operator'
        for (const index of batch.keys()) onOutcome(index, notConnected(detail))
        return
      }
      const now = io.clock.now()
      for (const [index, message] of batch.entries()) {
        const settle = (outcome: SendOutcome) => onOutcome(index, outcome)
        const submits = encode(message, now)
        if (submits.kind === 'impossible') settle(submits.outcome)
        else carriers.add(firstPart({ frames: submits.frames, messageIds: [], isSettled: false, settle }))
      }
      carriers.pump()
    },
    async close(graceMs) {
      isClosing = true
      await carriers.close(graceMs)
    },
  }
}
